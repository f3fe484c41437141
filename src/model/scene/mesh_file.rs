//! A scene made from a single model file: cameras that see all of the model, a sun, and a bright sky.

use std::sync::Arc;

use glam::Vec3;

use super::file::{CameraPreset, MeshSpec, Scene, Sky, SplatColors, Sun, ToneCurve};
use super::named::{Named, file_in};
use super::placed_meshes::PlacedMeshes;
use super::splat_file::{around, framed_by, look_at};
use crate::error::{ErrorKind, Result};
use crate::model::files::Files;
use crate::model::meshes;
use crate::model::meshes::Model;
use crate::progress::Listener;

/// Radii of models that keep their size, metres. Other models are rescaled, because shadows and clip planes suit this range.
const USUAL: [f32; 2] = [0.3, 300.0];
/// Direction from a model's centre to its first camera.
const CORNER: Vec3 = Vec3::new(0.6, 0.5, 1.0);

pub(super) fn scene_of(path: &str, files: &dyn Files, progress: Listener) -> Result<Scene> {
    let model = Arc::new(meshes::read(&file_in(path.into(), files), files, progress)?);
    let (middle, radius) = sphere_of(&model);
    let scale = usual_scale(radius);
    let mut scene = lit(path);
    // Models far from the origin, such as maps, are moved to it, because cameras cannot be that far away.
    let position = match middle.length() > 100.0 * radius {
        true => -scale * middle,
        false => Vec3::ZERO,
    };
    scene.meshes = vec![MeshSpec::file(path, position.to_array(), scale)];
    scene.place_meshes(&[model]).map_err(|(_, error)| error)?;
    let middle = position + scale * middle;
    look_from_corner(&mut scene, middle, (scale * radius).max(0.01));
    Ok(scene)
}

/// Adds lights and the meshes in the file of a Gaussian scene, unless they cannot be shown. Colours of photographs
/// become radiance.
pub(super) fn beside(
    mut splats: Scene,
    path: &str,
    files: &dyn Files,
    progress: Listener,
) -> Result<Scene> {
    let model = match meshes::read(&file_in(path.into(), files), files, progress) {
        Ok(model) => Arc::new(model),
        Err(error) if error.kind == ErrorKind::Usage => {
            let remarks = vec![format!("{error}: its meshes are left out")];
            splats.placed_meshes = Arc::new(PlacedMeshes {
                remarks,
                ..PlacedMeshes::default()
            });
            return Ok(splats);
        }
        Err(error) => return Err(error),
    };
    let (middle, radius) = sphere_of(&model);
    let scale = usual_scale(radius);
    let (middle, radius) = (scale * middle, scale * radius);
    let mut scene = Scene {
        tone_curve: ToneCurve::Linear,
        exposure: 1.0,
        meshes: vec![MeshSpec::file(path, [0.0; 3], scale)],
        splats: splats.splats,
        ..lit(path)
    };
    for spec in &mut scene.splats {
        spec.colors = SplatColors::Srgb;
        if spec.file == path && spec.scale == 1.0 {
            spec.scale = scale;
        }
    }
    let loaded = scene.load_splats(Named::as_given(files), progress);
    loaded.map_err(|(_, error)| error)?;
    scene.place_meshes(&[model]).map_err(|(_, error)| error)?;
    // The sphere encloses the meshes and the region that the Gaussians' cameras frame.
    let framed = splats.cameras.first().map_or((middle, 0.0), |camera| {
        let target = Vec3::from(camera.target);
        let away = target.distance(camera.eye.into());
        (scale * target, scale * framed_by(away))
    });
    let apart = framed.0 - middle;
    let both = 0.5 * (apart.length() + framed.1 + radius);
    let whole = both.max(framed.1).max(radius);
    let towards = apart.normalize_or_zero() * (whole - radius).min(apart.length());
    look_from_corner(&mut scene, middle + towards, whole);
    Ok(scene)
}

/// The scene of a file that has not been read; its cameras frame a ball of 1 m.
pub(super) fn outline_of(path: &str) -> Scene {
    let mut scene = lit(path);
    scene.meshes = vec![MeshSpec::file(path, [0.0; 3], 1.0)];
    look_from_corner(&mut scene, Vec3::ZERO, 1.0);
    scene
}

/// Like [`look_at`], but the first camera looks from between front and right, where three sides of a box are visible.
fn look_from_corner(scene: &mut Scene, middle: Vec3, radius: f32) {
    look_at(scene, middle, radius);
    let [front, ..] = &scene.cameras[..] else {
        return;
    };
    let away = Vec3::from_array(front.eye).distance(middle);
    let eye = middle + away * CORNER.normalize();
    let corner = CameraPreset {
        name: "corner".to_owned(),
        eye: eye.to_array(),
        ..front.clone()
    };
    scene.cameras.insert(0, corner);
}

/// An empty scene with lights suited to a solid.
fn lit(path: &str) -> Scene {
    Scene {
        shows: "A model file.".to_owned(),
        exposure: 0.85,
        sun: Sun {
            direction_to_sun: [0.45, 0.8, 0.6],
            irradiance: [2.1, 2.0, 1.85],
            radius: 1.0,
            shadows: true,
        },
        ambient: [0.26, 0.29, 0.34],
        ground: Some([0.14, 0.13, 0.12]),
        tone_curve: ToneCurve::Filmic,
        antialias: true,
        sky: Sky {
            zenith: [0.07, 0.10, 0.15],
            horizon: [0.20, 0.21, 0.23],
        },
        splats: Vec::new(),
        ..around(path)
    }
}

/// Centre of a model's bounds, and the radius that encloses it.
fn sphere_of(model: &Model) -> (Vec3, f32) {
    let panes = model.panes.iter().flat_map(|pane| {
        let [u, v] = [pane.half_u, pane.half_v];
        [u + v, u - v, -u + v, -u - v].map(|corner| pane.center + corner)
    });
    let corners = model.mesh.corners.iter().map(|corner| corner.position);
    let places = corners.chain(panes);
    let low = places.clone().reduce(Vec3::min).unwrap_or_default();
    let high = places.clone().reduce(Vec3::max).unwrap_or_default();
    let middle = 0.5 * low + 0.5 * high;
    let radius = places.map(|place| place.distance(middle));
    (middle, radius.fold(0.0, f32::max).min(1e30))
}

/// Power of ten that brings a radius into the usual range.
fn usual_scale(radius: f32) -> f32 {
    let [low, high] = USUAL;
    if radius <= 0.0 || (low..=high).contains(&radius) {
        return 1.0;
    }
    let wanted = if radius < low { low } else { high };
    let digits = f64::from(wanted / radius).log10();
    let digits = if radius < low {
        digits.ceil()
    } else {
        digits.floor()
    };
    10f64.powf(digits.clamp(-30.0, 6.0)) as f32
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::model::files::InMemory;
    use crate::model::scene::named::Named;
    use crate::model::scene::{Camera, check, load};

    /// A glTF file with a small triangle at each of the given positions.
    fn text(corners: [[f32; 3]; 3]) -> String {
        let node = |at: [f32; 3]| format!("{{\"mesh\": 0, \"translation\": {at:?}}}");
        let nodes = corners.map(node);
        // The triangle (0, 0, 0), (1, 0, 0) and (0, 1, 0) in bytes.
        format!(
            "{{\"asset\": {{\"version\": \"2.0\"}}, \"nodes\": [{}],
            \"meshes\": [{{\"primitives\": [{{\"attributes\": {{\"POSITION\": 0}}}}]}}],
            \"accessors\": [{{\"bufferView\": 0, \"componentType\": 5121, \"count\": 3, \"type\": \"VEC3\"}}],
            \"bufferViews\": [{{\"buffer\": 0, \"byteLength\": 9}}],
            \"buffers\": [{{\"byteLength\": 9, \"uri\": \"data:;base64,AAAAAQAAAAEA\"}}]}}",
            nodes.join(", ")
        )
    }

    fn loaded(corners: [[f32; 3]; 3]) -> Scene {
        let text = text(corners);
        let files = [("a/three.gltf", text.as_bytes())];
        load("a/three.gltf", &InMemory(&files)).unwrap()
    }

    #[test]
    fn a_model_alone_is_a_right_scene_whose_cameras_see_all_of_it_whatever_its_size() {
        for (size, scale) in [(1.0f32, 1.0f32), (1e4, 1e-2), (1e7, 1e-5)] {
            let corners = [[-size, 0.0, 0.0], [size, 0.0, 0.0], [0.0, size, size]];
            let scene = loaded(corners);
            check::check("three.gltf", "", &scene).unwrap();
            assert_eq!(scene.name, "three");
            let MeshSpec::File { scale: found, .. } = scene.meshes[0] else {
                panic!("a file");
            };
            assert!((found / scale - 1.0).abs() < 1e-5, "{found} for {size}");
            assert_eq!(scene.placed_meshes.count(), 3);
            for preset in &scene.cameras {
                let camera = Camera::new(preset, [100, 100]);
                let [eye, right, up, forward] =
                    [camera.eye, camera.right, camera.up, camera.forward].map(Vec3::from_array);
                for position in scene.placed_meshes.positions() {
                    let way = Vec3::from_array(position) - eye;
                    let depth = way.dot(forward);
                    let aside = way.dot(right).abs().max(way.dot(up).abs());
                    assert!(depth > scene.near && depth < scene.far, "{}", preset.name);
                    assert!(aside < depth * camera.tan_y, "{}: {size}", preset.name);
                }
            }
        }
    }

    #[test]
    fn a_model_far_from_the_origin_is_brought_to_it() {
        let [x, z] = [4.5e6, -1.2e6];
        let scene = loaded([[x, 0.0, z], [x + 40.0, 0.0, z], [x, 30.0, z]]);
        let positions = scene.placed_meshes.positions();
        let farthest = positions.map(|position| Vec3::from_array(position).length());
        assert!(farthest.fold(0.0, f32::max) < 60.0, "{:?}", scene.meshes);
    }

    #[test]
    fn a_file_that_a_scene_still_holds_is_not_read_again_unless_it_has_changed() {
        let text = text([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        let placed_of = |scale, text: &str| {
            let mut scene = Scene {
                meshes: vec![MeshSpec::file("held.gltf", [0.0; 3], scale)],
                ..Scene::default()
            };
            let files = [("held.gltf", text.as_bytes())];
            let files = InMemory(&files);
            let read = scene.load_meshes(Named::as_given(&files), &mut |_| Ok(()));
            read.unwrap();
            scene.placed_meshes
        };
        let placed = |scale| placed_of(scale, &text);
        let first = placed(1.0);
        assert!(Arc::ptr_eq(&first, &placed(1.0)));
        let other = placed(2.0);
        assert_ne!(first, other);
        let changed = placed_of(2.0, &text.replace("AAAAAQAAAAEA", "AAAAAgAAAAEA"));
        assert!(!Arc::ptr_eq(&other, &changed));
    }
}
