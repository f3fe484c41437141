//! A scene made from a single splat file: cameras that see all of it, no light, no fog, and unchanged colours.

use std::path::Path;

use glam::Vec3;

use super::file::{Scene, Sky, SplatColors, SplatSpec, ToneCurve};
use super::framing::{self, FAR, FOV_Y, look};
use super::named::Named;
use crate::error::Result;
use crate::model::files::Files;
use crate::progress::Listener;

/// Reads a splat file and turns it into a scene.
pub(super) fn scene_of(
    path: &str,
    splats: Option<Vec<SplatSpec>>,
    files: &dyn Files,
    progress: Listener,
) -> Result<Scene> {
    let mut scene = around(path);
    // Cameras are chosen from the splats of the file alone, without its surroundings and placement.
    let mut alone = scene.splats.clone();
    let placed = splats.as_ref().and_then(|list| list.first());
    if let (Some(placed), [alone]) = (placed, &mut alone[..])
        && placed.file == alone.file
    {
        (alone.axes, alone.filter) = (placed.axes, placed.filter);
        alone.keep_every = placed.keep_every;
    }
    scene.splats.clone_from(&alone);
    let list = splats.unwrap_or_else(|| alone.clone());
    let has_it_first = list.first() == alone.first();
    if has_it_first {
        scene.splats.clone_from(&list);
    }
    let mut load = |scene: &mut Scene| {
        (scene.load_splats(Named::as_given(files), progress)).map_err(|(_, error)| error)
    };
    load(&mut scene)?;
    let placed = scene.placed_splats.clone();
    let others = placed.sets.get(1).map(|set| set.first as usize);
    let own = &placed.gaussians[..others.unwrap_or(placed.gaussians.len())];
    framing::frame(&mut scene, own);
    if placed.is_linear {
        scene.tone_curve = ToneCurve::Linear;
    }
    if !has_it_first {
        scene.splats = list;
        load(&mut scene)?;
    }
    Ok(scene)
}

/// The scene of a file that has not been read; its cameras frame a ball of 1 m.
pub(super) fn outline_of(path: &str) -> Scene {
    let mut scene = around(path);
    look_at(&mut scene, Vec3::ZERO, 1.0);
    scene
}

/// Radius of the ball that a camera sees as a whole from the given distance.
pub(super) fn framed_by(away: f32) -> f32 {
    away * (0.5 * FOV_Y).to_radians().sin() / 1.1
}

/// Gives a scene cameras around a centre that see everything within `radius`.
pub(super) fn look_at(scene: &mut Scene, middle: Vec3, radius: f32) {
    let away = radius / framed_by(1.0);
    look(scene, radius, |direction| {
        (middle + away * direction, middle)
    });
    scene.far = (100.0 * away).clamp(2.0 * scene.near, FAR);
}

pub(super) fn around(path: &str) -> Scene {
    let path_of = Path::new(path);
    // An unpacked SOG is named after the folder that contains it.
    let named = match path_of.ends_with("meta.json") {
        true => path_of.parent().unwrap_or(path_of),
        false => path_of,
    };
    let name = named.file_stem().map(|stem| stem.to_string_lossy());
    let name = name.unwrap_or_default();
    let plain = name.chars().filter(|c| !c.is_control());
    Scene {
        name: plain.clone().take(super::file::LONGEST_NAME).collect(),
        shows: "A splat file.".to_owned(),
        tone_curve: ToneCurve::Encoded,
        sky: Sky {
            zenith: [0.10, 0.11, 0.13],
            horizon: [0.17, 0.18, 0.20],
        },
        splats: vec![SplatSpec::new(path, SplatColors::Linear)],
        ..Scene::default()
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use crate::input::Disk;
    use crate::model::files::InMemory;
    use crate::model::scene::{load, outline};

    #[test]
    fn the_scene_of_the_statue_finds_its_file_in_the_program_or_beside_it_and_has_every_kind_of_layer()
     {
        let scene = load("statue", &Disk).unwrap();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/scenes/statue.ron");
        assert!(load(path, &Disk).unwrap() == scene);
        assert!(scene.placed_splats.count() > 10_000);
        assert!(!scene.emitters.is_empty() && !scene.sheets.is_empty());
        let first = scene.splatted(0).unwrap();
        assert_eq!((first.index, first.file.as_str()), (0, "statue.spz"));
        // The object stands upright on the floor.
        let heights = scene
            .placed_splats
            .gaussians
            .iter()
            .map(|of| of.position[1]);
        let [low, high] = [f32::min, f32::max].map(|most| heights.clone().reduce(most).unwrap());
        assert!(
            low.abs() < 0.05 && (1.7..2.1).contains(&high),
            "{low} to {high}"
        );
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        for path in ["a/none.ply", "none.splat"] {
            let none = InMemory(&[]);
            let expected = format!("{path}: there is no such file");
            assert_eq!(load(path, &none).unwrap_err().message, expected);
            assert_eq!(outline(path, &none).unwrap_err().message, expected);
        }
    }
}
