//! A corner of a triangle while it is read.

use super::model::Corner;

/// A corner of a triangle, and the factor on its material's alpha there.
#[derive(Clone, Copy, Default)]
pub struct Vertex {
    /// Its position need not be finite.
    pub corner: Corner,
    pub alpha: f32,
    /// True if its colour and texture coordinates are those of the file. If these are not finite, they are white and 0.
    pub is_whole: bool,
}

impl Vertex {
    /// Colour and alpha in steps of 1/255.
    pub fn shade(self) -> [u8; 4] {
        let all = self.corner.albedo.extend(self.alpha);
        all.to_array().map(|part| (255.0 * part).round() as u8)
    }
}
