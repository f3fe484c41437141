//! Positions of pictures in the window, and conversions between window pixels and picture pixels.

/// Maximum magnification: window pixels along the edge of a picture pixel.
const MOST_EDGE: f32 = 240.0;

/// A rectangle of the window, in physical pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Room {
    pub origin: [f32; 2],
    pub size: [f32; 2],
}

impl Room {
    /// True if a point of the window is inside, at least `margin` pixels from every edge.
    pub fn contains(&self, point: [f32; 2], margin: f32) -> bool {
        [0, 1].iter().all(|&axis| {
            let at = point[axis] - self.origin[axis];
            at >= margin && at < self.size[axis] - margin
        })
    }

    /// Divides the room so that `count` equal pictures are largest. Returns their rooms, and the number of columns.
    pub fn divided(&self, count: usize, picture: [u32; 2], gap: f32) -> (Vec<Room>, usize) {
        let count = count.max(1);
        let part = |columns: usize| {
            let rows = count.div_ceil(columns);
            let each = |size: f32, parts: usize| {
                let parts = parts as f32;
                ((size - gap * (parts - 1.0)) / parts).max(1.0)
            };
            [each(self.size[0], columns), each(self.size[1], rows)]
        };
        let zoom = |columns: &usize| {
            let [width, height] = part(*columns);
            (width / picture[0] as f32).min(height / picture[1] as f32)
        };
        let columns = (1..=count)
            .max_by(|a, b| zoom(a).total_cmp(&zoom(b)))
            .unwrap_or(1);
        let size = part(columns);
        let room = |index: usize| {
            let place = [index % columns, index / columns];
            let along = |axis: usize| self.origin[axis] + place[axis] as f32 * (size[axis] + gap);
            Room {
                origin: [along(0).floor(), along(1).floor()],
                size: size.map(f32::floor),
            }
        };
        ((0..count).map(room).collect(), columns)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zoom {
    /// Magnification relative to showing the whole picture, at least 1.
    pub factor: f32,
    /// Point of the picture that is in the middle of its room, as fractions of width and height, 0…1.
    pub middle: [f32; 2],
}

impl Default for Zoom {
    fn default() -> Self {
        Self {
            factor: 1.0,
            middle: [0.5; 2],
        }
    }
}

/// Placement of a picture. The picture keeps its aspect ratio, and is centred if all of it is visible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Top left corner of the picture, in window pixels.
    pub origin: [f32; 2],
    /// Picture pixels per window pixel, along both axes.
    pub scale: [f32; 2],
    pub size: [u32; 2],
}

impl Placement {
    pub fn fit(room: Room, picture: [u32; 2], zoom: Zoom) -> Self {
        let size = picture.map(|edge| edge as f32);
        let fitting = (room.size[0] / size[0]).min(room.size[1] / size[1]);
        let zoomed = fitting * zoom.factor.max(1.0);
        let along = |axis: usize| {
            let (place, length) = (room.origin[axis], room.size[axis]);
            let spare = length - size[axis] * zoomed;
            let wanted = place + length / 2.0 - zoom.middle[axis] * size[axis] * zoomed;
            if spare >= 0.0 {
                place + spare / 2.0
            } else {
                // The picture moves until its edge is at the edge of its area.
                wanted.clamp(place + spare, place)
            }
        };
        Self {
            origin: [along(0), along(1)].map(f32::floor),
            scale: [1.0 / zoomed; 2],
            size: picture,
        }
    }

    pub fn point_at(&self, point: [f32; 2]) -> [f32; 2] {
        [0, 1].map(|axis| (point[axis] - self.origin[axis]) * self.scale[axis])
    }

    /// Picture pixel at a point of the window; `None` if the point is not on the picture.
    pub fn pixel_at(&self, point: [f32; 2]) -> Option<[u32; 2]> {
        let at = self.point_at(point);
        let [width, height] = self.size.map(|edge| edge as f32);
        let inside = at[0] >= 0.0 && at[1] >= 0.0 && at[0] < width && at[1] < height;
        inside.then(|| at.map(|place| place as u32))
    }

    /// Window position of the top left corner of a picture pixel.
    pub fn corner_of(&self, pixel: [u32; 2]) -> [f32; 2] {
        [0, 1].map(|axis| self.origin[axis] + pixel[axis] as f32 / self.scale[axis])
    }

    /// Length of a picture pixel's edge in window pixels.
    pub fn pixel_edge(&self) -> f32 {
        1.0 / self.scale[0]
    }

    /// Window x coordinate of the line that splits the picture at this fraction of its width (0…1).
    pub fn line_of(&self, split: f32) -> f32 {
        self.origin[0] + split * self.size[0] as f32 / self.scale[0]
    }

    /// Inverse of [`Placement::line_of`].
    pub fn split_at(&self, x: f32) -> f32 {
        let at = (x - self.origin[0]) * self.scale[0];
        (at / self.size[0] as f32).clamp(0.0, 1.0)
    }
}

impl Zoom {
    /// Magnifies around a point of the window, which stays in place unless the picture meets the edge of its room.
    pub fn around(self, factor: f32, point: [f32; 2], room: Room, picture: [u32; 2]) -> Self {
        let before = Placement::fit(room, picture, self);
        let held = before.point_at(point);
        let whole = Placement::fit(room, picture, Zoom::default());
        let most = (MOST_EDGE / whole.pixel_edge()).max(1.0);
        let zoom = (self.factor * factor).clamp(1.0, most);
        let scale = before.scale[0] * self.factor.max(1.0) / zoom;
        let middle = [0, 1].map(|axis| {
            let from_middle = point[axis] - room.origin[axis] - room.size[axis] / 2.0;
            let at = held[axis] - from_middle * scale;
            (at / picture[axis] as f32).clamp(0.0, 1.0)
        });
        Self {
            factor: zoom,
            middle,
        }
    }

    pub fn moved(self, by: [f32; 2], room: Room, picture: [u32; 2]) -> Self {
        let placement = Placement::fit(room, picture, self);
        let middle = [0, 1].map(|axis| {
            let step = by[axis] * placement.scale[axis] / picture[axis] as f32;
            (self.middle[axis] - step).clamp(0.0, 1.0)
        });
        Self { middle, ..self }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PicturePane {
    /// The picture's area; `None` while it is behind another tab.
    pub room: Option<Room>,
    pub pixels_per_point: f32,
    pub zoom: Zoom,
    /// The pixel under the mouse, with the values of A and B.
    pub pointed_at: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A room of 320x240 window pixels that begins 360 pixels from the left edge of the window.
    const ROOM: Room = Room {
        origin: [360.0, 0.0],
        size: [320.0, 240.0],
    };

    #[test]
    fn pictures_beside_each_other_get_the_rooms_in_which_they_are_largest() {
        let columns = |width: f32, height: f32, count| {
            let size = [width, height];
            let room = Room { size, ..ROOM };
            room.divided(count, [160, 90], 4.0).1
        };
        assert_eq!(columns(640.0, 720.0, 2), 1, "one above the other");
        assert_eq!(columns(1280.0, 360.0, 2), 2, "side by side");
        assert_eq!(columns(1280.0, 720.0, 3), 2);
        let (rooms, _) = ROOM.divided(2, [320, 100], 4.0);
        assert_eq!(rooms[1].origin, [360.0, 122.0]);
        assert_eq!(rooms[1].size, [320.0, 118.0]);
    }

    #[test]
    fn zooming_holds_the_pixel_under_the_mouse_and_shows_nothing_beyond_the_edges() {
        let point = [500.0, 100.0];
        let whole = Placement::fit(ROOM, [160, 90], Zoom::default());
        assert_eq!((whole.origin, whole.scale), ([360.0, 30.0], [0.5; 2]));
        let mut zoom = Zoom::default();
        for _ in 0..8 {
            zoom = zoom.around(1.5, point, ROOM, [160, 90]);
            let placement = Placement::fit(ROOM, [160, 90], zoom);
            assert_eq!(placement.pixel_at(point), whole.pixel_at(point), "{zoom:?}");
        }
        assert!(Placement::fit(ROOM, [160, 90], zoom).pixel_edge() > 40.0);
        // In a corner, the picture's corner stays in the room's corner.
        let far = zoom.moved([1e6, 1e6], ROOM, [160, 90]);
        let placement = Placement::fit(ROOM, [160, 90], far);
        assert_eq!(placement.pixel_at([361.0, 1.0]), Some([0, 0]));
        let back = far.around(1e-9, point, ROOM, [160, 90]);
        assert_eq!(Placement::fit(ROOM, [160, 90], back), whole);
    }
}
