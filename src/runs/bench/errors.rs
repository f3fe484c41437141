//! Errors of methods on a scene: in its first frame, and between frames of a slowly moving camera.

use crate::error::Result;
use crate::gpu::{Gpu, Pipelines};
use crate::methods::Composite;
use crate::model::methods::Method;
use crate::model::scene::{SLOW_TURN, Scene};
use crate::model::settings::Settings;
use crate::report::errors::{Errors, Flicker, Linear, OF_THREE, shown};
use crate::report::flip::DisplayedPicture;
use crate::runs::capture::{Capture, MethodPicture};
use crate::workers::joined;

const FRAMES: u16 = 8;

pub fn of(
    gpu: &Gpu,
    pipelines: &Pipelines,
    scene: &Scene,
    first: &mut Capture,
    composites: &[&Composite],
) -> Result<Vec<Errors>> {
    if composites.is_empty() {
        return Ok(Vec::new());
    }
    let settings = first.settings.clone();
    let mut all: Vec<(Errors, [Flicker; 2])> = Vec::new();
    all.resize_with(composites.len(), Default::default);
    add_frame(first, composites, true, &mut all)?;
    let methods = composites.iter().map(|of| of.specialization.method);
    let methods: Vec<Method> = methods.chain([Method::PixelLoop]).collect();
    for frame in 1..FRAMES {
        let settings = turned(&settings, scene, SLOW_TURN * f32::from(frame))?;
        let mut capture = Capture::expecting(gpu, pipelines, scene, settings, &methods)?;
        let again = composites
            .iter()
            .map(|of| capture.composite_as(of.specialization));
        let again: Vec<Composite> = again.collect::<Result<_>>()?;
        let again: Vec<&Composite> = again.iter().collect();
        add_frame(&mut capture, &again, false, &mut all)?;
    }
    let whole = |(errors, [before, over]): (Errors, [Flicker; 2])| Errors {
        before: Linear {
            flicker: before.value(),
            ..errors.before
        },
        picture: errors.picture.map(|of| Linear {
            flicker: over.value().map(|of| OF_THREE * of),
            ..of
        }),
        ..errors
    };
    Ok(all.into_iter().map(whole).collect())
}

/// Adds a frame, with a thread for each method.
fn add_frame(
    capture: &mut Capture,
    composites: &[&Composite],
    is_first: bool,
    all: &mut [(Errors, [Flicker; 2])],
) -> Result<()> {
    let tile = capture.settings.options.frame.tile;
    let exact = capture.composite_as(capture.settings.options.exact())?;
    let reference = capture.picture_by(Method::PixelLoop, &exact)?;
    let exact = &reference.composite;
    let backgrounds = capture.backgrounds()?;
    let seen = is_first.then(|| DisplayedPicture::new(reference.resolved));
    let add = |picture: MethodPicture, all: &mut (Errors, [Flicker; 2])| -> Result<()> {
        let (errors, [before, over]) = all;
        let (of, displayed) = (&picture.composite, &picture.resolved);
        let shown = shown(exact, of, &backgrounds)?;
        if let Some(seen) = &seen {
            *errors = Errors {
                overflowed: picture.overflowed,
                flip: seen.mean_difference(displayed)?,
                picture: Some(Linear::of_picture(&shown, tile)?),
                ..Errors::of((exact, seen.picture()), (of, displayed), tile)?
            };
        }
        over.add(&shown[0], &shown[1])?;
        before.add(exact, of)
    };
    std::thread::scope(|scope| {
        let mut under_way = Vec::new();
        for (composite, of) in composites.iter().zip(all) {
            let picture = capture.picture_by(composite.specialization.method, composite)?;
            let add = &add;
            under_way.push(scope.spawn(move || add(picture, of)));
        }
        under_way.into_iter().try_for_each(joined)
    })
}

/// The settings with the camera rotated around its target.
fn turned(settings: &Settings, scene: &Scene, degrees: f32) -> Result<Settings> {
    let viewpoint = settings.camera_in(scene)?.viewpoint();
    Ok(Settings {
        moved_camera: Some(viewpoint.around_target(degrees)),
        ..settings.clone()
    })
}
