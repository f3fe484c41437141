//! Sheets as the GPU reads them: their cells are numbered sheet after sheet.

use super::file::{Scene, SheetSpec, default_cells, half};
use crate::gpu::layout::Sheet;
use crate::meshes::Pane;
use glam::Vec3;

/// The scene's sheets in file order, then the panes of its files of models.
fn specs(scene: &Scene) -> impl Iterator<Item = SheetSpec> {
    let panes = scene.placed_meshes.panes.iter().map(|pane| {
        let Pane {
            center,
            half_u,
            half_v,
            albedo,
            emission,
            opacity,
        } = *pane;
        SheetSpec {
            center: center.to_array(),
            half_u: half_u.to_array(),
            half_v: half_v.to_array(),
            cells: default_cells(),
            albedo: albedo.to_array(),
            emission: emission.to_array(),
            opacity,
            transmission: half(),
            fade: 0.0,
            rim: 0.0,
            rim_opacity: 1.0,
        }
    });
    scene.sheets.iter().cloned().chain(panes)
}

/// The scene's sheets in file order, then the panes of its files of models, and the number of cells of all of them.
#[must_use]
pub fn sheets(scene: &Scene) -> (Vec<Sheet>, u32) {
    let mut first = 0;
    let mut list = Vec::new();
    for spec in specs(scene) {
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

/// Greatest distance in metres from a cell's centre to a point of the cell, of all cells, and a thousandth more
/// for rounding; 0 without sheets.
#[must_use]
pub fn cell_reach(scene: &Scene) -> f32 {
    let length = |half: [f32; 3], cells: u32| Vec3::from_array(half).length() / cells as f32;
    let reach = specs(scene).map(|sheet| {
        let [cells_u, cells_v] = sheet.cells;
        1.001 * (length(sheet.half_u, cells_u) + length(sheet.half_v, cells_v))
    });
    reach.fold(0.0, f32::max)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn cells_are_numbered_sheet_by_sheet() {
        let mut scene = crate::scene::load("panes").unwrap();
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
    }
}
