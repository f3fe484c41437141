//! What a CPU adapter draws while anything moves: the whole scene anew for its own camera, at a smaller size and with integrated fog,
//! so that the window answers. These frames are shown and nothing else: no time, no difference and no saved picture is of them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::staging::{Stage, Staged, wanted_of};
use crate::error::Result;
use crate::frame::{FrameShape, Moment};
use crate::gpu::{Gpu, Pipelines};
use crate::live::{Live, Wanted};
use crate::model::layout::Emitter;
use crate::model::methods::Method;
use crate::model::options::FogMode;
use crate::model::scene::Scene;
use crate::model::settings::Settings;
use crate::progress::{Listener, Progress};

/// Edges of moving frames as parts of the full one's, largest first.
const PARTS: [f32; 3] = [0.75, 0.55, 0.4];
/// The columns of froxels of a moving frame, as a part of those of a frame of its size, and the cells of a column.
const COLUMNS: f32 = 0.65;
const LIGHT_CELLS: u32 = 48;
/// Sheets are lit in one frame out of this many: most of what lights them stands still.
const SHEETS_LIT_EVERY: u32 = 4;
/// Frames with splats of files stop a pixel at this transmittance: their lists are long, and mostly of hidden splats.
const EARLY_OUT: f32 = 1.0 / 64.0;
/// A frame may take so long: a larger one is tried where it will not, a smaller one where this one does.
const GOAL: Duration = Duration::from_millis(100);
/// All rests when nothing has changed for so long.
const REST: Duration = Duration::from_millis(150);
/// What has moved may go on moving for so long: full frames are drawn in pieces then.
const LATELY: Duration = Duration::from_millis(1500);
/// Frames are made for what has been shown for so long.
const SETTLED: Duration = Duration::from_millis(500);
/// The weight of a new time in the mean.
const NEW: f64 = 0.3;

/// What moving frames are made for: others are made where one of these is another.
#[derive(Clone)]
pub(super) struct Purpose {
    pub scene: u64,
    /// Of the full frame.
    pub settings: Settings,
    pub methods: Vec<Method>,
    pub pipelines: Arc<Pipelines>,
    pub losses: u32,
}

impl Purpose {
    fn is(&self, other: &Self) -> bool {
        self.scene == other.scene
            && self.losses == other.losses
            && Arc::ptr_eq(&self.pipelines, &other.pipelines)
            && self.settings.options == other.settings.options
            && self.settings.fits_frame_of(&other.settings)
            && other
                .methods
                .iter()
                .all(|method| self.methods.contains(method))
    }
}

/// The methods of A and of B of which a picture is seen, and what of it, as parts of its edges: left, top, right, bottom.
pub(super) type Sides = [Option<(Method, [f32; 4])>; 2];

/// Frames of all sizes, compiled and drawn once.
pub struct MovingFrames {
    purpose: Purpose,
    frames: Vec<Small>,
}

struct Small {
    settings: Settings,
    live: Live,
}

#[derive(Default)]
pub(super) struct Moving {
    made: Option<MovingFrames>,
    /// What is shown, since when.
    wanted: Option<(Purpose, Instant)>,
    /// What is being made, or could not be.
    asked: Option<Purpose>,
    part: usize,
    /// Mean seconds from frame to frame at this part, and when the last one began.
    pace: Option<f64>,
    last: Option<Instant>,
    seen: Option<(Moment, Vec<Emitter>)>,
    changed: Option<Instant>,
    is_shown: bool,
    /// How many were drawn.
    pub drawn: u64,
}

/// Makes and draws them once: drivers may compile when they first draw.
pub(super) fn make(
    stage: &Stage,
    scene: &Scene,
    purpose: Purpose,
    progress: Listener,
) -> Result<MovingFrames> {
    let small = |(number, part): (usize, f32)| {
        let step = |of: usize| Progress::step("smaller frames", 3 * number + of, 3 * PARTS.len());
        progress(step(0))?;
        let mut settings = purpose.settings.clone();
        settings.size = settings
            .size
            .map(|edge| ((edge as f32 * part) as u32).max(1));
        let frame = &mut settings.options.frame;
        frame.fog = FogMode::Integrated;
        // A tile of so few pixels would list what lies on much of the picture.
        (frame.tile, frame.auto_tile) = (8, false);
        if !scene.splats.is_empty() {
            frame.early_out = frame.early_out.max(EARLY_OUT);
        }
        let Staged {
            mut live, settings, ..
        } = stage.clone().make(scene, settings, with_less_light)?;
        live.leave_untimed(&stage.gpu)?;
        let methods = [0, 1].map(|side| purpose.methods.get(side).copied());
        let wanted = wanted_of(&live, scene, &settings, methods)?;
        // The first frame counts its lists, the second has room for them.
        for frame in 1..3 {
            progress(step(frame))?;
            live.draw(&stage.gpu, &stage.pipelines, &wanted)?;
            stage.gpu.wait()?;
        }
        Ok(Small { settings, live })
    };
    let frames = PARTS
        .into_iter()
        .enumerate()
        .map(small)
        .collect::<Result<_>>()?;
    Ok(MovingFrames { purpose, frames })
}

impl Moving {
    /// Takes note of what a frame shows. Whether that has changed just now.
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

    /// Whether something has moved a moment ago: it may again, and nobody waits for times then.
    pub fn was_lately(&self, now: Instant) -> bool {
        self.changed.is_some_and(|changed| now - changed < LATELY)
    }

    /// Whether moving frames for this are to be made: it has been shown for a while, there are none, and nobody was asked for
    /// them.
    pub fn lacks(&mut self, purpose: &Purpose, now: Instant) -> bool {
        let wanted = self.wanted.take().filter(|(of, _)| of.is(purpose));
        let (_, since) = self
            .wanted
            .insert(wanted.unwrap_or_else(|| (purpose.clone(), now)));
        if now - *since < SETTLED {
            return false;
        }
        let has = self
            .made
            .as_ref()
            .is_some_and(|made| made.purpose.is(purpose));
        !has && !self.asked.as_ref().is_some_and(|asked| asked.is(purpose))
    }

    pub fn ask_for(&mut self, purpose: Purpose) {
        self.asked = Some(purpose);
    }

    pub fn take(&mut self, made: MovingFrames) {
        self.made = Some(made);
        (self.part, self.pace) = (PARTS.len() - 1, None);
    }

    /// Draws one in place of the full frame. Whether there is one for that.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        (scene, settings, sides): (&Scene, &Settings, Sides),
        purpose: &Purpose,
        now: Instant,
    ) -> Result<bool> {
        let Some(made) = self.made.as_mut().filter(|made| made.purpose.is(purpose)) else {
            return Ok(false);
        };
        self.part = part_after(self.part, &mut self.pace, self.last.map(|last| now - last));
        self.last = Some(now);
        let small = &mut made.frames[self.part];
        // Camera, time and factors are today's, the rest is what the frame was made for.
        let settings = Settings {
            size: small.settings.size,
            options: small.settings.options,
            ..settings.clone()
        };
        let methods = sides.map(|side| side.map(|(method, _)| method));
        let tile = settings.options.frame.tile;
        let wanted = Wanted {
            sections: sides
                .map(|side| side.map(|(_, seen)| tiles_around(seen, settings.size, tile))),
            ..wanted_of(&small.live, scene, &settings, methods)?
        };
        small.live.draw(gpu, &purpose.pipelines, &wanted)?;
        self.is_shown = true;
        self.drawn += 1;
        Ok(true)
    }

    /// From now on the full frame is shown.
    pub fn end(&mut self) {
        (self.is_shown, self.last) = (false, None);
    }

    /// The frame that is shown in place of the full one, and its size.
    pub fn shown(&self) -> Option<(&Live, [u32; 2])> {
        let made = self.made.as_ref().filter(|_| self.is_shown)?;
        let small = &made.frames[self.part];
        Some((&small.live, small.settings.size))
    }
}

fn with_less_light(shape: &mut FrameShape) {
    let part = |count: u32| ((count as f32 * COLUMNS) as u32).max(1);
    shape.columns = shape.columns.map(part);
    shape.light_cells = LIGHT_CELLS;
    shape.sheets_lit_every = SHEETS_LIT_EVERY;
}

/// The tiles of a frame of so many pixels that this part of it touches, and the pixels beside it, which blend into it.
fn tiles_around(seen: [f32; 4], size: [u32; 2], tile: u32) -> [u32; 4] {
    let at = |corner: usize| seen[corner] * size[corner % 2] as f32;
    let low = |corner| (at(corner) - 1.0).max(0.0) as u32 / tile * tile;
    let high = |corner: usize| {
        let pixel = (at(corner) + 1.0).ceil() as u32;
        pixel.next_multiple_of(tile).min(size[corner % 2])
    };
    [low(0), low(1), high(2), high(3)]
}

/// The part to draw next, after frames of this one took `gap` from one to the next; the mean is of one part alone.
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
        // A pause says nothing of how long a frame takes.
        assert_eq!(run(0, 1500), (0, 0));
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
