//! Sheets as the GPU reads them, with cells numbered sheet by sheet.

use super::camera::Camera;
use super::file::{Scene, SheetSpec};
use crate::model::layout::{SeenSheet, Sheet};
use glam::{DVec2, DVec3, Vec3};

/// Number of texels of a sheet's light along each edge.
pub const SHEET_LIGHT_EDGE: u32 = 128;

/// The scene's sheets in file order, followed by the panes of its model files; and the total number of cells.
pub fn sheets(scene: &Scene) -> (Vec<Sheet>, u32) {
    let panes = scene.placed_meshes.panes.iter().map(|pane| SheetSpec {
        center: pane.center.to_array(),
        half_u: pane.half_u.to_array(),
        half_v: pane.half_v.to_array(),
        albedo: pane.albedo.to_array(),
        emission: pane.emission.to_array(),
        opacity: pane.opacity,
        ..SheetSpec::default()
    });
    let mut first = 0;
    let mut list = Vec::new();
    for spec in scene.sheets.iter().cloned().chain(panes) {
        let [cells_u, cells_v] = spec.cells;
        list.push(Sheet {
            center: spec.center,
            first,
            half_u: spec.half_u,
            cells_u,
            half_v: spec.half_v,
            cells_v,
            albedo: spec.albedo,
            opacity: spec.opacity,
            emission: spec.emission,
            transmission: spec.transmission,
            rim: spec.rim,
            rim_opacity: if spec.rim > 0.0 {
                spec.rim_opacity
            } else {
                spec.opacity
            },
            fade: spec.fade,
            ..Default::default()
        });
        first += cells_u * cells_v;
    }
    (list, first)
}

/// Maximum distance in metres from the centre of a cell to its points, over all cells, plus a thousandth for rounding;
/// 0 if there are no sheets.
pub fn cell_reach(scene: &Scene) -> f32 {
    let length = |half: [f32; 3], cells: u32| Vec3::from_array(half).length() / cells as f32;
    let reach = sheets(scene).0.into_iter().map(|sheet| {
        1.001 * (length(sheet.half_u, sheet.cells_u) + length(sheet.half_v, sheet.cells_v))
    });
    reach.fold(0.0, f32::max)
}

/// Sheets as seen by a camera with near plane `near` in a frame of `size` pixels, in f64 up to the last rounding.
pub fn seen_sheets(sheets: &[Sheet], camera: &Camera, near: f32, size: [u32; 2]) -> Vec<SeenSheet> {
    let of = sheets.len();
    let seen = |(index, sheet)| seen_sheet([index, of], sheet, camera, near, size);
    sheets.iter().enumerate().map(seen).collect()
}

fn seen_sheet(
    [index, count]: [usize; 2],
    sheet: &Sheet,
    camera: &Camera,
    near: f32,
    size: [u32; 2],
) -> SeenSheet {
    let wide = |vector: [f32; 3]| DVec3::from_array(vector.map(f64::from));
    let narrow = |vector: DVec2| vector.as_vec2().to_array();
    let [half_u, half_v] = [wide(sheet.half_u), wide(sheet.half_v)];
    let from_center = wide(camera.eye) - wide(sheet.center);
    let cross = half_u.cross(half_v);
    // The normal points away from the camera, so that `facing` is positive where rays hit the sheet.
    let normal = if cross.dot(from_center) > 0.0 {
        -cross
    } else {
        cross
    }
    .normalize();
    let distance = -normal.dot(from_center);
    // The products of these vectors with a vector in the sheet are half of u and of v, 0…1 from edge to edge.
    let measures =
        [half_v.cross(cross), cross.cross(half_u)].map(|v| 0.5 * v / cross.length_squared());
    // Place times facing is affine in the ray, and so in the pixel.
    let places = measures.map(|measure| measure * distance + normal * measure.dot(from_center));

    let [right, up, forward] = [camera.right, camera.up, camera.forward].map(wide);
    let size = DVec2::from_array(size.map(f64::from));
    let tangents = DVec2::new(f64::from(camera.tan_x), f64::from(camera.tan_y));
    let in_view = DVec3::new(
        right.dot(-from_center),
        up.dot(-from_center),
        forward.dot(-from_center),
    );
    let ndc = if in_view.z > f64::from(near) {
        DVec2::new(in_view.x, -in_view.y) / (in_view.z * tangents)
    } else {
        DVec2::ZERO
    };
    // An integer position in the frame, so that its offset to the centre of a pixel is exact in f32.
    let pixel = ((0.5 + 0.5 * ndc) * size).round().clamp(DVec2::ZERO, size);
    let [across, down] = [
        right * (2.0 * tangents.x / size.x),
        -up * (2.0 * tangents.y / size.y),
    ];
    let off = pixel - 0.5 * size;
    let ray = forward + across * off.x + down * off.y;
    let place_along = |ray: DVec3| narrow(DVec2::new(places[0].dot(ray), places[1].dot(ray)));

    let edges = 2.0 * DVec2::new(half_u.length(), half_v.length());
    let fade = DVec2::splat(f64::from(sheet.fade));
    let texels = f64::from(SHEET_LIGHT_EDGE);
    // Size of the whole texture, which stacks the sheets vertically, in texels.
    let light = DVec2::new(texels, texels * count as f64);
    let light_center = DVec2::new(0.5, 0.5 + index as f64) * texels;
    SeenSheet {
        pixel: narrow(pixel),
        facing_step: narrow(DVec2::new(normal.dot(across), normal.dot(down))),
        facing: normal.dot(ray) as f32,
        distance: distance as f32,
        place: place_along(ray),
        place_across: place_along(across),
        place_down: place_along(down),
        cells: [sheet.cells_u as f32, sheet.cells_v as f32],
        opacity: sheet.opacity,
        rim_opacity: sheet.rim_opacity,
        rim: narrow(f64::from(sheet.rim) / edges),
        inverse_fade: narrow((edges / fade).min(DVec2::splat(f64::from(f32::MAX)))),
        light_scale: narrow((texels - 1.0) / light),
        light_center: narrow(light_center / light),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::input::Disk;

    #[test]
    fn cells_are_numbered_sheet_by_sheet() {
        let mut scene = crate::model::scene::load("panes", &Disk).unwrap();
        scene.sheets.truncate(3);
        for (sheet, cells) in scene.sheets.iter_mut().zip([[1, 1], [3, 5], [2, 2]]) {
            sheet.cells = cells;
        }
        let (list, count) = sheets(&scene);
        assert_eq!(
            list.iter().map(|sheet| sheet.first).collect::<Vec<_>>(),
            [0, 1, 16]
        );
        assert_eq!(count, 20);
        scene.sheets[1].half_u = [0.0, 3.0, 4.0];
        scene.sheets[1].half_v = [2.0, 0.0, 0.0];
        scene.sheets.truncate(2);
        scene.sheets.remove(0);
        assert!((cell_reach(&scene) - 1.001 * (5.0 / 3.0 + 2.0 / 5.0)).abs() < 1e-5);
        scene.sheets.clear();
        assert_eq!(cell_reach(&scene), 0.0);
        assert_eq!(sheets(&scene), (Vec::new(), 0));
        assert_eq!(seen_sheets(&[], &Camera::default(), NEAR, SIZE), Vec::new());
    }

    const NEAR: f32 = 0.1;
    const SIZE: [u32; 2] = [3840, 2160];
}
