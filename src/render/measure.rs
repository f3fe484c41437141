//! Timing methods against each other, one interleaved round per frame, without ever waiting: which
//! rounds there are, and what came back of them. Knows no wgpu.

use crate::gpu::{Capabilities, Clock};
use crate::methods::{Method, Specialization};

/// Rounds are recorded until all that count have come back, but at most this many times as many as
/// there should be: timers may get lost.
const PATIENCE: u32 = 4;

/// Times of methods, as far as they have come back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measurement {
    /// What the times are read from.
    pub clock: Clock,
    /// The methods in the order asked for.
    pub methods: Vec<Method>,
    /// The wave size each ran at; absent where it is not known (yet).
    pub wave_sizes: Vec<Option<u32>>,
    /// Rounds before the first that counts.
    pub warm_up_rounds: u32,
    /// Rounds that count.
    pub rounds: u32,
    /// Rounds that count and whose times have come back.
    pub rounds_done: u32,
    /// Times, ms, per method and round.
    pub samples: Vec<Vec<f64>>,
    /// Whether nothing more will come. There are fewer samples than asked for only where timers were
    /// lost again and again.
    pub finished: bool,
}

/// A measurement under way.
pub(super) struct Measuring {
    pub measurement: Measurement,
    pub specializations: Vec<Specialization>,
    pub early_out: f32,
    /// Tells this measurement's labels from those of earlier ones.
    run: u64,
    recorded: u32,
}

/// A pass of a round.
pub(super) struct RoundPass {
    /// Which of the methods.
    pub index: usize,
    pub specialization: Specialization,
    pub label: String,
}

impl Measuring {
    /// Measurement number `run`; a CPU adapter gets a few rounds and no warm-up.
    pub fn new(
        caps: &Capabilities,
        clock: Clock,
        run: u64,
        specializations: Vec<Specialization>,
        early_out: f32,
    ) -> Self {
        let (warm_up_rounds, rounds) = match caps.is_cpu {
            true => (0, 3),
            false => (5, 30),
        };
        let methods: Vec<Method> = specializations.iter().map(|of| of.method).collect();
        Self {
            measurement: Measurement {
                clock,
                wave_sizes: vec![None; methods.len()],
                samples: vec![Vec::new(); methods.len()],
                finished: methods.is_empty(),
                methods,
                warm_up_rounds,
                rounds,
                rounds_done: 0,
            },
            specializations,
            early_out,
            run,
            recorded: 0,
        }
    }

    /// Whether no round has been recorded.
    pub fn is_new(&self) -> bool {
        self.recorded == 0
    }

    /// The passes of the next round: every method once, starting with another one each time.
    pub fn next_round(&mut self) -> Vec<RoundPass> {
        let measurement = &mut self.measurement;
        let most = PATIENCE * (measurement.warm_up_rounds + measurement.rounds);
        if measurement.finished || self.recorded >= most {
            measurement.finished = true;
            return Vec::new();
        }
        let kind = match self.recorded < measurement.warm_up_rounds {
            true => "warm-up",
            false => "measure",
        };
        let count = self.specializations.len();
        let pass = |position: usize| {
            let index = (position + self.recorded as usize) % count;
            let specialization = self.specializations[index];
            RoundPass {
                index,
                specialization,
                label: format!("{kind} {}: {}", self.run, specialization.method),
            }
        };
        let passes = (0..count).map(pass).collect();
        self.recorded += 1;
        passes
    }

    /// Takes the times of a frame in that are of this measurement's rounds.
    pub fn take_times(&mut self, times: &[(String, f64)]) {
        let prefix = format!("measure {}: ", self.run);
        let measurement = &mut self.measurement;
        for (label, time) in times {
            let name = label.strip_prefix(&prefix);
            let of = |method: &Method| Some(method.name()) == name;
            let Some(index) = measurement.methods.iter().position(of) else {
                continue;
            };
            let samples = &mut measurement.samples[index];
            if samples.len() < measurement.rounds as usize {
                samples.push(*time);
            }
        }
        let done = measurement.samples.iter().map(Vec::len).min();
        measurement.rounds_done = done.unwrap_or_default() as u32;
        measurement.finished |= measurement.rounds_done >= measurement.rounds;
    }

    /// Takes in the wave sizes that the methods ran at, 0 for unknown.
    pub fn take_wave_sizes(&mut self, sizes: &[u32]) {
        for (known, &size) in self.measurement.wave_sizes.iter_mut().zip(sizes) {
            *known = (size > 0).then_some(size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn specializations() -> Vec<Specialization> {
        [
            Method::PixelLoop,
            Method::ReadLaneLoop,
            Method::WaveLerpPadded,
        ]
        .map(Specialization::new)
        .to_vec()
    }

    fn measuring(run: u64) -> Measuring {
        let methods = specializations();
        Measuring {
            measurement: Measurement {
                methods: methods.iter().map(|of| of.method).collect(),
                wave_sizes: vec![None; 3],
                warm_up_rounds: 2,
                rounds: 4,
                samples: vec![Vec::new(); 3],
                ..Measurement::default()
            },
            specializations: methods,
            early_out: 0.0,
            run,
            recorded: 0,
        }
    }

    fn times_of(round: &[RoundPass]) -> Vec<(String, f64)> {
        let timed = |(position, pass): (usize, &RoundPass)| (pass.label.clone(), position as f64);
        round.iter().enumerate().map(timed).collect()
    }

    #[test]
    fn no_method_is_always_first_and_warm_up_does_not_count() {
        let mut measuring = measuring(1);
        let mut first = Vec::new();
        for _ in 0..6 {
            assert!(!measuring.measurement.finished);
            let round = measuring.next_round();
            first.push(round[0].index);
            measuring.take_times(&times_of(&round));
        }
        assert_eq!(first, [0, 1, 2, 0, 1, 2]);
        assert!(measuring.measurement.finished);
        assert!(measuring.measurement.samples.iter().all(|s| s.len() == 4));
        assert_eq!(measuring.measurement.samples[0], [1.0, 0.0, 2.0, 1.0]);
        assert!(measuring.next_round().is_empty());
    }

    #[test]
    fn a_round_whose_timers_were_lost_is_measured_again() {
        let mut measuring = measuring(1);
        for number in 0..8 {
            let round = measuring.next_round();
            assert_eq!(round.len(), 3);
            if number != 3 && number != 5 {
                measuring.take_times(&times_of(&round));
            }
        }
        assert!(measuring.measurement.finished);
        assert_eq!(measuring.measurement.rounds_done, 4);
    }

    #[test]
    fn timers_that_never_come_back_end_the_measurement() {
        let mut measuring = measuring(1);
        let rounds = (0..1000).take_while(|_| !measuring.next_round().is_empty());
        assert_eq!(rounds.count(), 4 * 6);
        assert!(measuring.measurement.finished);
        assert_eq!(measuring.measurement.rounds_done, 0);
    }

    #[test]
    fn times_of_an_earlier_measurement_or_an_ordinary_frame_do_not_count() {
        let (mut earlier, mut measuring) = (measuring(1), measuring(2));
        for _ in 0..3 {
            earlier.next_round();
        }
        measuring.take_times(&times_of(&earlier.next_round()));
        measuring.take_times(&[("pixel-loop".to_owned(), 1.0)]);
        assert!(measuring.measurement.samples.iter().all(Vec::is_empty));
    }
}
