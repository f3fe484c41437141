//! Perceived difference between the displayed pictures of A and B, by [FLIP](crate::report::flip).

use std::cell::OnceCell;

use crate::error::{Error, Result};
use crate::model::methods::Method;
use crate::model::settings::Settings;
use crate::report::canvas::Canvas;
use crate::report::flip::DisplayedPicture;
use crate::report::scale;

use super::grab::Grab;

pub struct Flip {
    pub of: [Method; 2],
    pub settings: Settings,
    /// Mean of the map: 0 if the pictures look the same, 1 for the greatest possible difference.
    pub mean: f64,
    pub greatest: f32,
    /// The map in the colours of [`crate::report::scale`]: indigo for 0, pale yellow for 1.
    pub map: Canvas,
    pub texture: OnceCell<egui::TextureHandle>,
}

/// Pictures of A and B side by side, while they are being read back.
pub(super) struct Pair {
    pub grab: Grab,
    pub of: [Method; 2],
    pub settings: Settings,
}

impl Pair {
    pub fn take(&self) -> Option<Result<impl FnOnce() -> Result<Flip> + Send + 'static>> {
        let (of, settings) = (self.of, self.settings.clone());
        let canvas = self.grab.take()?;
        Some(canvas.map(|canvas| move || flip(&canvas, of, settings)))
    }
}

fn flip(pair: &Canvas, of: [Method; 2], settings: Settings) -> Result<Flip> {
    let [width, height] = [pair.size()[0] / 2, pair.size()[1]];
    let half = |left: u32| pair.part([left as i32, 0], [width, height]);
    if width == 0 || height == 0 {
        return Err(Error::usage("FLIP needs a picture of at least one pixel"));
    }
    let values = DisplayedPicture::new(half(0)).differences(&half(width))?;
    let colors = values.iter().map(|value| scale::at(f64::from(*value)));
    let map = Canvas::from_pixels([width, height], colors.collect());
    let sum: f64 = values.iter().copied().map(f64::from).sum();
    Ok(Flip {
        of,
        settings,
        mean: sum / values.len() as f64,
        greatest: values.iter().copied().fold(0.0, f32::max),
        map: map.ok_or_else(|| Error::failed("FLIP's map has another size"))?,
        texture: OnceCell::new(),
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::input::Disk;
    use crate::model::Capabilities;
    use crate::model::settings::{Purpose, default_settings};

    #[test]
    fn equal_pictures_look_the_same_and_a_red_square_is_where_they_differ() {
        // A grey picture and the same picture with a square of `color` in it.
        let pair = |color: [u8; 3]| {
            let mut both = Canvas::filled([96, 32], [128; 3]);
            both.fill([68, 10], [8, 8], color);
            let (caps, purpose) = (Capabilities::default(), Purpose::Window);
            let settings = default_settings("two", &Disk, &caps, purpose).unwrap();
            flip(&both, [Method::PixelLoop; 2], settings).unwrap()
        };
        let same = pair([128; 3]);
        assert_eq!((same.mean, same.greatest), (0.0, 0.0));
        let differ = pair([255, 0, 0]);
        assert!(differ.mean > 0.01 && differ.greatest > 0.3);
        let lowest = scale::at(0.0);
        assert_eq!(differ.map.get([2, 2]), Some(lowest));
        assert_ne!(differ.map.get([24, 14]), Some(lowest));
        // An invisible difference counts less than an obvious one.
        assert!(pair([130; 3]).mean < 0.1 * differ.mean);
    }
}
