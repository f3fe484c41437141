//! Smaller frames with integrated fog, shown during motion on a CPU adapter so that the window stays responsive.
//! They are never timed, compared or saved.

use std::sync::Arc;
use web_time::{Duration, Instant};

use clap::ValueEnum;

use super::staging::{Stage, Staged, wanted_of};
use crate::error::Result;
use crate::frame::{FrameShape, Moment};
use crate::live::{Live, Wanted};
use crate::model::layout::Emitter;
use crate::model::methods::Method;
use crate::model::options::FogMode;
use crate::model::scene::Scene;
use crate::model::settings::Settings;
use crate::progress::{Listener, Progress};

/// Edge lengths of moving frames as fractions of the full frame's, largest first.
const PARTS: [f32; 3] = [0.75, 0.55, 0.4];
/// Froxel columns of a moving frame, as a fraction of the usual number at its size, and cells per column.
const COLUMNS: f32 = 0.65;
const LIGHT_CELLS: u32 = 48;
/// Sheets are lit only once in this many frames, because most lights do not move.
const SHEETS_LIT_EVERY: u32 = 8;
/// Early-out transmittance in scenes with splat files, which have long lists of mostly hidden splats.
const EARLY_OUT: f32 = 1.0 / 64.0;
/// Approximate number of Gaussians drawn if the scene has more.
const SPLATS: u32 = 18_000;
/// Target time of a frame, for choosing its size.
const GOAL: Duration = Duration::from_millis(100);
/// Time without changes after which motion has ended.
const REST: Duration = Duration::from_millis(150);
/// Time after motion in which full frames are untimed, so that they can be drawn in shorter pieces.
const LATELY: Duration = Duration::from_millis(1500);
/// Time for which a view must be shown before moving frames are prepared for it.
const SETTLED: Duration = Duration::from_millis(500);
/// Weight of a new time in the running mean.
const NEW: f64 = 0.3;

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum Simplification {
    Size,
    IntegratedFog,
    FewerColumns,
    FewerLightCells,
    SheetsInTurns,
    EarlyOut,
    FewerSplats,
}

impl Simplification {
    /// True if the scene contains anything that this simplifies.
    pub fn concerns(self, scene: &Scene) -> bool {
        match self {
            Self::SheetsInTurns => !scene.sheets.is_empty(),
            Self::EarlyOut | Self::FewerSplats => !scene.splats.is_empty(),
            _ => true,
        }
    }

    fn of_settings(self, settings: &mut Settings, part: f32) {
        let frame = &mut settings.options.frame;
        match self {
            Self::Size => {
                settings.size = settings
                    .size
                    .map(|edge| ((edge as f32 * part) as u32).max(1));
                // With so few pixels, a large tile covers much of the picture, and its list would be long.
                (frame.tile, frame.auto_tile) = (8, false);
            }
            Self::IntegratedFog => frame.fog = FogMode::Integrated,
            Self::EarlyOut => frame.early_out = frame.early_out.max(EARLY_OUT),
            _ => {}
        }
    }

    fn of_shape(self, shape: &mut FrameShape) {
        let columns = |count: u32| ((count as f32 * COLUMNS) as u32).max(1);
        match self {
            Self::FewerColumns => shape.columns = shape.columns.map(columns),
            Self::FewerLightCells => shape.light_cells = LIGHT_CELLS,
            Self::SheetsInTurns => shape.sheets_lit_every = SHEETS_LIT_EVERY,
            _ => {}
        }
    }

    fn of_scene(self, scene: &mut Scene) {
        let every = scene.placed_splats.count().div_ceil(SPLATS);
        if self == Self::FewerSplats && every > 1 {
            scene.placed_splats = Arc::new(scene.placed_splats.every(every));
        }
    }
}

/// A and B if visible, with the visible part of the picture (left, top, right, bottom) and the split, as fractions.
pub(super) type Sides = [Option<(Method, [f32; 4], f32)>; 2];

/// Moving frames of all sizes for the full frame of `stage`. The list is empty while they are prepared.
pub struct MovingFrames {
    stage: Stage,
    frames: Vec<Staged>,
}

/// True if moving frames made for `made` can replace the full frame of `other`.
fn serves(made: &Stage, other: &Stage) -> bool {
    let has = |method| made.methods.contains(method);
    made.fits(other)
        && made.settings.options == other.settings.options
        && other.methods.iter().all(has)
}

#[derive(Default)]
pub(super) struct Moving {
    /// Simplifications to use in moving frames; `None` for all of them.
    pub simplified: Option<&'static [Simplification]>,
    made: Option<MovingFrames>,
    /// The current view, and the time at which it was first wanted.
    wanted: Option<(Stage, Instant)>,
    part: usize,
    /// Mean seconds between frames at this size, and the start of the last frame.
    pace: Option<f64>,
    last: Option<Instant>,
    seen: Option<(Moment, Vec<Emitter>)>,
    changed: Option<Instant>,
    is_shown: bool,
    pub drawn: u64,
}

/// Creates the frames and draws each of them once, because drivers may compile on the first draw.
pub(super) fn make(
    stage: Stage,
    scene: &Scene,
    simplified: &[Simplification],
    progress: Listener,
) -> Result<MovingFrames> {
    let by: Vec<_> = (simplified.iter())
        .filter(|of| of.concerns(scene))
        .collect();
    let mut scene = scene.clone();
    by.iter().for_each(|of| of.of_scene(&mut scene));
    let scene = &scene;
    let small = |(number, part): (usize, f32)| {
        let step = |of: usize| Progress::step("smaller frames", 2 * number + of, 2 * PARTS.len());
        progress(step(0))?;
        let mut small = stage.clone();
        by.iter()
            .for_each(|of| of.of_settings(&mut small.settings, part));
        let change = |shape: &mut FrameShape| by.iter().for_each(|of| of.of_shape(shape));
        let Staged { mut live, stage } = small.make(scene, change)?;
        live.leave_untimed(&stage.gpu)?;
        let methods = [0, 1].map(|side| stage.methods.get(side).copied());
        let wanted = wanted_of(&live, scene, &stage.settings, methods)?;
        progress(step(1))?;
        live.draw_whole(&stage.gpu, &stage.pipelines, &wanted)?;
        Ok(Staged { live, stage })
    };
    let frames = PARTS
        .into_iter()
        .enumerate()
        .map(small)
        .collect::<Result<_>>()?;
    Ok(MovingFrames { stage, frames })
}

impl Moving {
    /// Stores the wanted view. Returns true if the view changed within [`REST`].
    pub fn follow(&mut self, wanted: &Wanted, now: Instant) -> bool {
        let before = self.seen.as_ref();
        let is_same = before.is_none_or(|(moment, emitters)| {
            *moment == wanted.moment && *emitters == wanted.emitters
        });
        if !is_same {
            self.changed = Some(now);
        }
        if !is_same || before.is_none() {
            self.seen = Some((wanted.moment, wanted.emitters.clone()));
        }
        self.changed.is_some_and(|changed| now - changed < REST)
    }

    /// True if anything moved recently, so that motion may resume.
    pub fn was_lately(&self, now: Instant) -> bool {
        self.changed.is_some_and(|changed| now - changed < LATELY)
    }

    /// True if this view has been shown for a while, and no moving frames for it exist or were requested.
    pub fn lacks(&mut self, stage: &Stage, now: Instant) -> bool {
        let wanted = self.wanted.take().filter(|(of, _)| serves(of, stage));
        let (_, since) = self
            .wanted
            .insert(wanted.unwrap_or_else(|| (stage.clone(), now)));
        let made = self.made.as_ref();
        now - *since >= SETTLED && !made.is_some_and(|made| serves(&made.stage, stage))
    }

    pub fn ask_for(&mut self, stage: Stage) {
        let frames = Vec::new();
        self.made = Some(MovingFrames { stage, frames });
    }

    pub fn take(&mut self, made: MovingFrames) {
        self.made = Some(made);
        (self.part, self.pace) = (PARTS.len() - 1, None);
    }

    /// Draws a moving frame in place of the full one. Returns false if there is no moving frame.
    pub fn draw(
        &mut self,
        stage: &Stage,
        (scene, sides): (&Scene, Sides),
        now: Instant,
    ) -> Result<bool> {
        let made = self.made.as_mut().filter(|made| serves(&made.stage, stage));
        self.part = part_after(self.part, &mut self.pace, self.last.map(|last| now - last));
        let Some(small) = made.and_then(|made| made.frames.get_mut(self.part)) else {
            return Ok(false);
        };
        self.last = Some(now);
        // Camera, time and factors are current. Size and options are those of the prepared frame.
        let settings = Settings {
            size: small.stage.settings.size,
            options: small.stage.settings.options,
            ..stage.settings.clone()
        };
        let methods = sides.map(|side| side.map(|(method, ..)| method));
        let tile = settings.options.frame.tile;
        let wanted = Wanted {
            sections: sides.map(|side| {
                side.map(|(_, seen, split)| tiles_around(seen, split, settings.size, tile))
            }),
            ..wanted_of(&small.live, scene, &settings, methods)?
        };
        small.live.draw(&stage.gpu, &stage.pipelines, &wanted)?;
        self.is_shown = true;
        self.drawn += 1;
        Ok(true)
    }

    pub fn end(&mut self) {
        (self.is_shown, self.last) = (false, None);
    }

    pub fn shown(&self) -> Option<(&Live, [u32; 2])> {
        let made = self.made.as_ref().filter(|_| self.is_shown)?;
        let small = made.frames.get(self.part)?;
        Some((&small.live, small.stage.settings.size))
    }
}

/// Tiles under the visible part of a frame, widened by the pixels that enlarging blends into the visible part.
fn tiles_around(seen: [f32; 4], split: f32, size: [u32; 2], tile: u32) -> [u32; 4] {
    let at = |corner: usize| seen[corner] * size[corner % 2] as f32;
    let beside = |corner: usize| if seen[corner] == split { 0.0 } else { 1.0 };
    let low = |corner| (at(corner) - beside(corner)).max(0.0) as u32 / tile * tile;
    let high = |corner: usize| {
        let pixel = (at(corner) + beside(corner)).ceil() as u32;
        pixel.next_multiple_of(tile).min(size[corner % 2])
    };
    [low(0), low(1), high(2), high(3)]
}

/// Index of the size to draw next, after an interval of `gap` between frames of the present size.
fn part_after(part: usize, pace: &mut Option<f64>, gap: Option<Duration>) -> usize {
    let Some(gap) = gap.filter(|gap| *gap < 10 * GOAL) else {
        return part;
    };
    let mean = pace.map_or(gap.as_secs_f64(), |mean| {
        mean + NEW * (gap.as_secs_f64() - mean)
    });
    *pace = Some(mean);
    let goal = GOAL.as_secs_f64();
    let grown = |larger: usize| (PARTS[larger] / PARTS[part]).powi(2);
    let larger = part
        .checked_sub(1)
        .filter(|larger| mean * f64::from(grown(*larger)) < 0.8 * goal);
    let next = match larger {
        Some(larger) => larger,
        None if mean > 1.1 * goal => (part + 1).min(PARTS.len() - 1),
        None => part,
    };
    if next != part {
        *pace = None;
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_shrink_where_they_take_too_long_and_grow_where_there_is_time() {
        let run = |mut part: usize, milliseconds: u64| {
            let (mut pace, mut parts) = (None, vec![part]);
            for _ in 0..20 {
                part = part_after(part, &mut pace, Some(Duration::from_millis(milliseconds)));
                parts.push(part);
            }
            (
                parts[20],
                parts.windows(2).filter(|pair| pair[0] != pair[1]).count(),
            )
        };
        assert_eq!(run(0, 150), (2, 2));
        assert_eq!(run(2, 20), (0, 2));
        assert_eq!(run(1, 90), (1, 0), "it holds");
        // A pause does not count as the time of a frame.
        assert_eq!(run(0, 1500), (0, 0));
    }

    #[test]
    fn pixels_beside_what_is_seen_blend_into_it_but_not_across_the_split() {
        let tiles = |seen, split| tiles_around(seen, split, [128, 72], 8);
        assert_eq!(tiles([0.0, 0.0, 0.5, 1.0], 0.5), [0, 0, 64, 72]);
        assert_eq!(tiles([0.5, 0.0, 1.0, 1.0], 0.5), [64, 0, 128, 72]);
        // At the end of the visible part, pixels beyond it are blended in.
        assert_eq!(tiles([0.0, 0.5, 0.5, 1.0], 2.0), [0, 32, 72, 72]);
    }

    #[test]
    fn what_has_changed_moves_for_a_moment() {
        let (mut moving, start) = (Moving::default(), Instant::now());
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let still = Wanted::default();
        let mut moved = Wanted::default();
        moved.moment.time = 1.0;
        assert!(!moving.follow(&still, at(0)), "nothing was there before");
        assert!(moving.follow(&moved, at(10)));
        assert!(moving.follow(&moved, at(100)));
        assert!(!moving.follow(&moved, at(161)));
    }
}
