//! How different the pictures of A and B look to a viewer: [FLIP](crate::report::flip) of the displayed
//! pictures, as a map and its mean.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::model::methods::Method;
use crate::model::settings::Settings;
use crate::report::canvas::Canvas;
use crate::report::flip::Seen;
use crate::report::scale;

use super::background::Made;
use super::grab::Grab;

/// What FLIP says of A and B.
#[derive(Clone)]
pub struct Flip {
    pub of: [Method; 2],
    /// What both of them drew.
    pub settings: Settings,
    /// Mean of the map: 0 where the pictures look the same, 1 where nothing could be more different.
    pub mean: f64,
    pub greatest: f32,
    /// The map in the colours of [`crate::report::scale`], indigo for 0 and pale yellow for 1.
    pub map: Arc<Canvas>,
}

/// The pictures of A and B beside each other, on their way back from the GPU.
pub(super) struct Pair {
    /// A is its left half, B its right half.
    pub grab: Grab,
    pub of: [Method; 2],
    pub settings: Settings,
}

impl Pair {
    /// The work of comparing them, once they are there.
    pub fn take(&self) -> Option<Result<impl FnOnce() -> Result<Made> + Send + 'static>> {
        let (of, settings) = (self.of, self.settings.clone());
        let canvas = self.grab.take()?;
        let made = |flip| Made::Flip(Box::new(flip));
        Some(canvas.map(|canvas| move || flip(&canvas, of, settings).map(made)))
    }
}

/// Compares the left half of a picture with its right half.
fn flip(pair: &Canvas, of: [Method; 2], settings: Settings) -> Result<Flip> {
    let [width, height] = [pair.size()[0] / 2, pair.size()[1]];
    let half = |left: u32| pair.part([left as i32, 0], [width, height]);
    if width == 0 || height == 0 {
        return Err(Error::usage("FLIP needs a picture of at least one pixel"));
    }
    let values = Seen::new(half(0)).differences(&half(width))?;
    let colors = values.iter().map(|value| scale::at(f64::from(*value)));
    let map = Canvas::from_pixels([width, height], colors.collect());
    let sum: f64 = values.iter().copied().map(f64::from).sum();
    Ok(Flip {
        of,
        settings,
        mean: sum / values.len() as f64,
        greatest: values.iter().copied().fold(0.0, f32::max),
        map: Arc::new(map.ok_or_else(|| Error::failed("FLIP's map has another size"))?),
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::input::Disk;
    use crate::model::Capabilities;
    use crate::model::settings::{Purpose, default_settings};

    const SIZE: [u32; 2] = [48, 32];

    /// A grey picture beside one that has a square of `color` in it.
    fn pair(color: [u8; 3]) -> Flip {
        let mut both = Canvas::filled([2 * SIZE[0], SIZE[1]], [128; 3]);
        both.fill([SIZE[0] as i32 + 20, 10], [8, 8], color);
        let (caps, purpose) = (Capabilities::default(), Purpose::Window);
        let settings = default_settings("two", &Disk, &caps, purpose).unwrap();
        flip(&both, [Method::PixelLoop; 2], settings).unwrap()
    }

    #[test]
    fn equal_pictures_look_the_same_and_a_red_square_is_where_they_differ() {
        let same = pair([128; 3]);
        assert_eq!((same.mean, same.greatest), (0.0, 0.0));
        let differ = pair([255, 0, 0]);
        assert!(
            differ.mean > 0.01 && differ.greatest > 0.3,
            "{}",
            differ.mean
        );
        assert_eq!(differ.map.size(), SIZE);
        let lowest = scale::at(0.0);
        assert_eq!(differ.map.get([2, 2]), Some(lowest));
        assert_ne!(differ.map.get([24, 14]), Some(lowest));
        // A difference that nobody sees counts for less than one that everybody does.
        assert!(pair([130; 3]).mean < 0.1 * differ.mean);
    }
}
