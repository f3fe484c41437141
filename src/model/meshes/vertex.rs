//! A corner of a triangle while it is being read.

use super::model::Corner;

#[derive(Clone, Copy, Default)]
pub struct Vertex {
    /// The corner's position need not be finite.
    pub corner: Corner,
    pub alpha: f32,
    /// True if colour and texture coordinates are finite in the file. Otherwise they are replaced with white and 0.
    pub is_whole: bool,
}

impl Vertex {
    /// Colour and alpha in steps of 1/255.
    pub fn shade(self) -> [u8; 4] {
        let all = self.corner.albedo.extend(self.alpha);
        all.to_array().map(|part| (255.0 * part).round() as u8)
    }
}
