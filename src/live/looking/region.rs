#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Region {
    pub origin: [u32; 2],
    /// Width and height, at most [`MOST_REGION`].
    pub size: [u32; 2],
}

/// Maximum width and height of a region in pixels.
pub const MOST_REGION: u32 = 48;

impl Region {
    /// The part of the region inside a frame of `size` pixels, limited to [`MOST_REGION`].
    pub(super) fn inside(self, size: [u32; 2]) -> Option<Self> {
        let part = |axis: usize| {
            let left = size[axis].saturating_sub(self.origin[axis]);
            self.size[axis].min(left).min(MOST_REGION)
        };
        let size = [part(0), part(1)];
        (size[0] > 0 && size[1] > 0).then_some(Self { size, ..self })
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    pub region: Region,
    /// Values r, g, b and T of the region's pixels, row by row, for A and B. Empty for a method that was not drawn.
    pub of: [Vec<[f32; 4]>; 2],
}

impl Values {
    pub fn at(&self, side: usize, pixel: [u32; 2]) -> Option<[f32; 4]> {
        let [x, y] = [0, 1].map(|axis| pixel[axis].checked_sub(self.region.origin[axis]));
        let (x, y) = (x?, y?);
        let inside = x < self.region.size[0] && y < self.region.size[1];
        let index = (y * self.region.size[0] + x) as usize;
        self.of.get(side)?.get(index).copied().filter(|_| inside)
    }
}
