//! Self-test of an adapter's clocks. GPU timestamps and the wall clock time a kernel with a known workload.
//! `src/model/clock.rs` interprets the times.

use std::cell::Cell;
use web_time::{Duration, Instant};

use super::known_work::KnownWork;
use super::recorder::color_attachment;
use crate::error::{Error, Result};
use crate::gpu::{Gpu, arriving, buffer, texture};
use crate::model::clock::{
    Clock, ClockChoice, ClockSource, Trial, WORK, check_tick, is_hopeless, judge, tick,
};
use crate::model::samples::Summary;

/// Minimum milliseconds on the wall clock for the smallest workload.
const LEAST: f64 = 1.0;
/// Minimum ratio of the times when the workload doubles.
const GROWTH: f64 = 1.7;
/// Maximum milliseconds for the smallest workload.
const MOST: f64 = 50.0;
/// Number of repeats of each trial. The minimum counts, because other programs only add time.
const ROUNDS: usize = 5;
/// The test ends after this many hopeless rounds. More rounds would only lower the timestamps.
const HOPELESS_ROUNDS: usize = 2;
/// Number of timed empty submissions. The minimum counts.
const SUBMISSIONS: usize = 20;
/// Time spent working before the first trial. A GPU raises its clocks only under load.
const WARM_UP: Duration = Duration::from_millis(100);
/// Initial number of loop iterations in the smallest workload, doubled until the workload takes long enough.
const TURNS: u32 = 16;
/// Maximum number of loop iterations in the smallest workload. A driver that stops long loops never reaches the wanted
/// time.
const MOST_TURNS: u32 = 1 << 24;

/// The clock that times passes on this adapter. The first call tests it, which takes some tenths of a second.
/// [`known_clock`] never waits.
///
/// # Errors
/// Timestamps were requested but do not enclose the work.
pub fn clock(gpu: &Gpu) -> Result<&Clock> {
    gpu.finish(tested_clock(gpu))
}

/// Like [`clock`], without waiting for the GPU. Work submitted in the meantime may spoil the test.
pub async fn tested_clock(gpu: &Gpu) -> Result<&Clock> {
    if let Some(clock) = gpu.clock.get() {
        return Ok(clock);
    }
    let clock = choose(gpu).await?;
    Ok(gpu.clock.get_or_init(|| clock))
}

/// The clock that times passes on this adapter, or `None` before the test.
pub fn known_clock(gpu: &Gpu) -> Option<&Clock> {
    gpu.clock.get()
}

async fn choose(gpu: &Gpu) -> Result<Clock> {
    let test = SelfTest::new(gpu)?;
    let submission = test.submission().await?;
    let clock = |source, reason: &str| Clock {
        source,
        reason: reason.to_owned(),
        submission,
    };
    let name = &gpu.caps.name;
    let refused = |seen: &str| {
        Err(Error::unavailable(format!(
            "--clock timestamps: timestamps cannot time {name}: {seen}; use --clock auto or --clock wall"
        )))
    };
    let none = "this adapter has no timestamps";
    match (gpu.clock_choice, gpu.caps.timestamps) {
        (ClockChoice::Wall, _) => Ok(clock(ClockSource::Wall, "asked for with --clock wall")),
        (ClockChoice::Timestamps, false) => refused(none),
        (ClockChoice::Auto, false) => Ok(clock(ClockSource::Wall, none)),
        (choice, true) => match (test.trials(submission).await?, choice) {
            (Ok(()), _) => Ok(clock(
                ClockSource::Timestamps,
                "they grow with the work and agree with the wall clock",
            )),
            (Err(seen), ClockChoice::Timestamps) => refused(&seen),
            (Err(seen), _) => Ok(clock(
                ClockSource::Wall,
                &format!("timestamps cannot time passes here: {seen}"),
            )),
        },
    }
}

struct SelfTest<'a> {
    gpu: &'a Gpu,
    work: KnownWork,
    cleared: wgpu::TextureView,
    worked: Cell<Duration>,
}

impl<'a> SelfTest<'a> {
    fn new(gpu: &'a Gpu) -> Result<Self> {
        use wgpu::{TextureFormat::Rgba8Unorm, TextureUsages as Usages};
        let target = texture(
            gpu,
            "clock",
            [4, 4, 1],
            Rgba8Unorm,
            Usages::RENDER_ATTACHMENT,
        );
        Ok(Self {
            gpu,
            work: KnownWork::new(gpu)?,
            cleared: target.create_view(&Default::default()),
            worked: Cell::default(),
        })
    }

    /// Submits a pass with one dispatch of the given number of iterations, or an empty pass. Returns the wall-clock
    /// milliseconds until the pass is done. A second dispatch would be wrong, because some drivers start timing there.
    /// A render pass comes first, because Mesa's llvmpipe times compute passes well only after it has drawn something.
    async fn run(&self, turns: Option<u32>, timestamps: Option<&Timestamps>) -> Result<f64> {
        if let Some(turns) = turns {
            self.work.set_turns(self.gpu, turns);
            // Keep the write out of the measured time.
            let turns = self.gpu.encoder("clock turns");
            self.gpu.submitted(turns.finish()).await?;
        }
        let mut encoder = self.gpu.encoder("clock");
        self.clear(&mut encoder);
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("clock"),
                timestamp_writes: timestamps.map(Timestamps::writes),
            });
            self.work.set(&mut pass)?;
            if turns.is_some() {
                self.work.dispatch(&mut pass);
            }
        }
        if let Some(timestamps) = timestamps {
            encoder.resolve_query_set(&timestamps.queries, 0..2, &timestamps.resolved, 0);
        }
        let time = self.gpu.submitted(encoder.finish()).await?;
        self.worked.set(self.worked.get() + time);
        Ok(time.as_secs_f64() * 1e3)
    }

    fn clear(&self, encoder: &mut wgpu::CommandEncoder) {
        let color = color_attachment(&self.cleared, wgpu::LoadOp::Clear(wgpu::Color::BLACK));
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("clock"),
            color_attachments: &[Some(color)],
            ..Default::default()
        });
    }

    /// Minimum milliseconds for an empty submission. Every pass takes at least this long.
    async fn submission(&self) -> Result<f64> {
        // Earlier submissions must not count.
        self.gpu.done().await?;
        let mut walls = Vec::new();
        while walls.len() < SUBMISSIONS {
            walls.push(self.run(None, None).await?);
        }
        Ok(least(&walls))
    }

    /// Runs the trials, after which the GPU is warm. Returns what is wrong with the timestamps, if anything.
    async fn trials(&self, submission: f64) -> Result<std::result::Result<(), String>> {
        let timestamps = Timestamps::new(self.gpu);
        // The first run may include a compilation. Other costs of a submission may exceed a small workload.
        self.run(Some(TURNS), None).await?;
        let mut turns = TURNS;
        while turns < MOST_TURNS {
            let one = self.run(Some(turns), None).await?;
            let two = self.run(Some(2 * turns), None).await?;
            if one >= MOST || one >= LEAST && two >= GROWTH * one {
                break;
            }
            turns *= 2;
        }
        let started = Instant::now();
        while !self.gpu.caps.is_cpu && started.elapsed() < WARM_UP {
            let most = WORK[WORK.len() - 1] * turns;
            self.run(Some(most), None).await?;
        }
        let mut rounds: Vec<[Trial; WORK.len()]> = Vec::new();
        while rounds.len() < ROUNDS {
            let mut round = WORK.map(|work| Trial {
                work,
                timestamps: 0.0,
                wall: 0.0,
            });
            for trial in &mut round {
                let turns = Some(trial.work * turns);
                let wall = self.run(turns, Some(&timestamps)).await?;
                trial.wall = wall - submission;
                trial.timestamps = timestamps.read(self.gpu).await?;
            }
            rounds.push(round);
            if rounds.len() == HOPELESS_ROUNDS && rounds.iter().all(|round| is_hopeless(round)) {
                break;
            }
        }
        self.gpu.note_work(self.worked.get());
        let least_of = |(index, work): (usize, u32)| {
            let least_by = |time: fn(&Trial) -> f64| {
                let times: Vec<f64> = rounds.iter().map(|round| time(&round[index])).collect();
                least(&times)
            };
            Trial {
                work,
                timestamps: least_by(|trial| trial.timestamps),
                wall: least_by(|trial| trial.wall),
            }
        };
        let all = rounds.iter().flatten().map(|trial| trial.timestamps);
        let trials: Vec<Trial> = WORK.into_iter().enumerate().map(least_of).collect();
        Ok(check_tick(tick(all)).and_then(|()| judge(&trials)))
    }
}

struct Timestamps {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
}

impl Timestamps {
    fn new(gpu: &Gpu) -> Self {
        use wgpu::BufferUsages as Usages;
        let usage = Usages::QUERY_RESOLVE | Usages::COPY_SRC;
        Self {
            queries: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("clock"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(gpu, "clock", 16, usage),
        }
    }

    fn writes(&self) -> wgpu::ComputePassTimestampWrites<'_> {
        wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        }
    }

    /// Milliseconds between the two timestamps.
    async fn read(&self, gpu: &Gpu) -> Result<f64> {
        let ticks: Vec<u64> = arriving(gpu, &self.resolved, 2).await?;
        let between = ticks[1].saturating_sub(ticks[0]) as f64;
        Ok(between * f64::from(gpu.queue.get_timestamp_period()) * 1e-6)
    }
}

fn least(samples: &[f64]) -> f64 {
    Summary::of(samples).map_or(0.0, |summary| summary.min)
}
