//! Pictures in tests, which can be cut, enlarged and compared.

use std::collections::BTreeSet;
use std::path::Path;

use wavelerp::report::canvas::Canvas;

use crate::cli::png_pixels;

fn bytes_of(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Pixels of a picture, row by row.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    pub size: [u32; 2],
    pub pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// Reads a picture from a PNG file.
    pub fn read(path: &Path) -> Self {
        let (size, pixels) = png_pixels(&bytes_of(path));
        Self { size, pixels }
    }

    /// Reads a picture from a binary PPM file of 8 bits per channel.
    pub fn read_ppm(path: &Path) -> Self {
        let bytes = bytes_of(path);
        let mut parts = bytes.splitn(4, u8::is_ascii_whitespace);
        let mut word = || {
            let part = parts.next().expect("a header of three numbers");
            std::str::from_utf8(part).expect("the header is text")
        };
        assert_eq!(word(), "P6");
        let size = [word(), word()].map(|edge| edge.parse().expect("a number of pixels"));
        let rest = parts.next().and_then(|rest| rest.strip_prefix(b"255\n"));
        let (pixels, _) = rest.expect("8 bits per channel").as_chunks::<3>();
        assert_eq!(pixels.len(), size.iter().product::<u32>() as usize);
        let pixels = pixels.to_vec();
        Self { size, pixels }
    }

    /// Copies the picture from a canvas.
    pub fn of(canvas: &Canvas) -> Self {
        Self {
            size: canvas.size(),
            pixels: canvas.pixels().to_vec(),
        }
    }

    /// The part of a window without panes that shows a picture of the given size, and the zoom. Tests choose sizes so that
    /// the zoom is a whole number.
    pub fn area(&self, size: [u32; 2]) -> (Self, u32) {
        let room = self.size;
        let zoom = (room[0] / size[0]).min(room[1] / size[1]);
        assert!(zoom > 0, "{room:?} for {size:?}: choose another size");
        let free = [0, 1].map(|axis| room[axis] - size[axis] * zoom);
        assert!(free.contains(&0), "{room:?} for {size:?}: choose another");
        let origin = free.map(|free| free / 2);
        (self.part(origin, size.map(|edge| edge * zoom)), zoom)
    }

    /// Zoom at which the window shows exactly `picture`, if it does.
    pub fn zoom_of(&self, picture: &Self) -> Option<u32> {
        let (area, zoom) = self.area(picture.size);
        (area == picture.enlarged(zoom)).then_some(zoom)
    }

    /// True if more than a fraction `least_share` of the picture differs in the window.
    pub fn shows_more_than(&self, picture: &Self, least_share: f64) -> bool {
        let (area, zoom) = self.area(picture.size);
        area.share_changed(&picture.enlarged(zoom)) > least_share
    }

    /// True if the picture has a single colour.
    pub fn is_plain(&self) -> bool {
        self.pixels.windows(2).all(|two| two[0] == two[1])
    }

    pub fn at(&self, [x, y]: [u32; 2]) -> [u8; 3] {
        self.pixels[(y * self.size[0] + x) as usize]
    }

    /// A picture of the given size whose pixels come from `pixel`.
    fn drawn(size: [u32; 2], pixel: impl Fn([u32; 2]) -> [u8; 3]) -> Self {
        let rows = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| [x, y]));
        Self {
            size,
            pixels: rows.map(pixel).collect(),
        }
    }

    /// The part of the picture at `origin`.
    pub fn part(&self, origin: [u32; 2], size: [u32; 2]) -> Self {
        Self::drawn(size, |[x, y]| self.at([origin[0] + x, origin[1] + y]))
    }

    /// The picture with every pixel enlarged to a square of `edge` pixels.
    pub fn enlarged(&self, edge: u32) -> Self {
        let size = self.size.map(|length| length * edge);
        Self::drawn(size, |place| self.at(place.map(|along| along / edge)))
    }

    /// Largest difference of any channel of any pixel.
    pub fn difference(&self, other: &Self) -> u8 {
        assert_eq!(self.size, other.size);
        let pairs = self.pixels.iter().zip(&other.pixels);
        let channels = pairs.flat_map(|(a, b)| a.iter().zip(b));
        channels.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
    }

    /// Fraction of differing pixels, 0 to 1.
    pub fn share_changed(&self, other: &Self) -> f64 {
        assert_eq!(self.size, other.size);
        let pairs = self.pixels.iter().zip(&other.pixels);
        pairs.filter(|(a, b)| a != b).count() as f64 / self.pixels.len() as f64
    }

    /// True if the picture has more than a few colours, so that it is not empty.
    pub fn is_lively(&self) -> bool {
        let colours: BTreeSet<_> = self.pixels.iter().collect();
        colours.len() > 100
    }
}
