//! Where the picture lies in the window. Pure arithmetic: pixels of the window on one side, pixels of
//! the picture on the other.

/// The picture's place. It keeps its shape, fits the window beside the panel, and stands in the middle of
/// that room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// The picture's top left corner, in window pixels.
    pub origin: [f32; 2],
    /// Picture pixels per window pixel, along both axes.
    pub scale: [f32; 2],
    /// The picture's width and height, in its own pixels.
    pub size: [u32; 2],
}

impl Placement {
    /// Places a picture of `picture` pixels in a window of `window` pixels, whose leftmost `panel` pixels
    /// are taken.
    pub fn fit(window: [u32; 2], panel: f32, picture: [u32; 2]) -> Self {
        let [width, height] = window.map(|edge| edge as f32);
        let [picture_width, picture_height] = picture.map(|edge| edge as f32);
        let room = (width - panel).max(1.0);
        let zoom = (room / picture_width).min(height / picture_height);
        let origin = [
            panel + (room - picture_width * zoom) / 2.0,
            (height - picture_height * zoom) / 2.0,
        ];
        Self {
            origin: origin.map(f32::floor),
            scale: [1.0 / zoom; 2],
            size: picture,
        }
    }

    /// The picture's pixel at a point of the window, if the point is on the picture.
    pub fn pixel_at(&self, point: [f32; 2]) -> Option<[u32; 2]> {
        let at = [0, 1].map(|axis| (point[axis] - self.origin[axis]) * self.scale[axis]);
        let [width, height] = self.size.map(|edge| edge as f32);
        let inside = at[0] >= 0.0 && at[1] >= 0.0 && at[0] < width && at[1] < height;
        inside.then(|| at.map(|place| place as u32))
    }

    /// Window pixels from the left to the line that splits the picture at this part of its width (0…1).
    pub fn line_of(&self, split: f32) -> f32 {
        self.origin[0] + split * self.size[0] as f32 / self.scale[0]
    }

    /// The part of the picture's width (0…1) that is left of a point of the window; the inverse of
    /// [`Placement::line_of`] on the picture.
    pub fn split_at(&self, x: f32) -> f32 {
        let at = (x - self.origin[0]) * self.scale[0];
        (at / self.size[0] as f32).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture of 160x90 at twice its size, in the middle of the 320x240 pixels beside a panel.
    fn doubled() -> Placement {
        Placement::fit([680, 240], 360.0, [160, 90])
    }

    #[test]
    fn the_picture_keeps_its_shape_and_stands_in_the_middle_beside_the_panel() {
        let placement = doubled();
        assert_eq!(placement.origin, [360.0, 30.0]);
        assert_eq!(placement.scale, [0.5; 2]);
        let wide = Placement::fit([680, 90], 360.0, [160, 90]);
        assert_eq!((wide.origin, wide.scale), ([440.0, 0.0], [1.0; 2]));
    }

    #[test]
    fn only_points_on_the_picture_have_a_pixel() {
        let placement = doubled();
        assert_eq!(placement.pixel_at([360.0, 30.0]), Some([0, 0]));
        assert_eq!(placement.pixel_at([679.5, 209.5]), Some([159, 89]));
        for outside in [
            [359.0, 100.0],
            [680.0, 100.0],
            [500.0, 29.0],
            [500.0, 210.0],
        ] {
            assert_eq!(placement.pixel_at(outside), None, "{outside:?}");
        }
    }

    #[test]
    fn a_split_dragged_to_its_own_line_stays() {
        let placement = doubled();
        assert_eq!(placement.line_of(0.25), 440.0);
        assert_eq!(placement.split_at(440.0), 0.25);
        assert_eq!(placement.split_at(0.0), 0.0);
        assert_eq!(placement.split_at(9999.0), 1.0);
    }
}
