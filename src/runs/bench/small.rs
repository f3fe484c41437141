//! The small benchmark that the window runs: its plan, and the command that runs it again. Runs nothing.

use super::run::Wanted;
use super::sweep::Plan;
use crate::model::methods::{Cost, ListKind, Method};
use crate::model::options::{Dial, Options};
use crate::timing::Rounds;

/// The folder, below that of benchmarks, that a small benchmark is written into.
pub const NAME: &str = "small";

/// A benchmark that takes seconds: few cells, the cheap layers, the usual dials.
pub fn small(is_cpu: bool, methods: Vec<Method>) -> Wanted {
    let (outputs, layers, counted): (&[[u32; 2]], &[u32], u32) = if is_cpu {
        (&[[32, 32], [64, 64]], &[8, 32], 3)
    } else {
        (
            &[[32, 32], [128, 128], [640, 360], [1920, 1080]],
            &[8, 64, 512],
            10,
        )
    };
    let plan = Plan {
        outputs: outputs.to_vec(),
        layers: layers.to_vec(),
        costs: vec![Cost::Cheap],
        kinds: vec![ListKind::Particles],
        methods,
        pixels_per_wave: vec![1, 8, 32],
        dials: [
            &[Dial::Pixels(4)][..],
            &[1, 4, 16, 64].map(Dial::Threads),
            &[Dial::Batch(128)],
        ]
        .concat(),
        options: Options::default(),
    };
    Wanted {
        cases: Vec::new(),
        splats: Vec::new(),
        scenes: Vec::new(),
        command: command(&plan, counted),
        plan,
        rounds: Rounds::from(counted, is_cpu),
    }
}

fn command(plan: &Plan, rounds: u32) -> String {
    fn list<T>(values: &[T], word: impl Fn(&T) -> String) -> String {
        values.iter().map(word).collect::<Vec<_>>().join(",")
    }
    format!(
        "wavelerp bench --parts sweep --outputs {} --layers {} --cost {} --kind {} --methods {} \
         --pixels-per-wave {} --dials {} --rounds {rounds}",
        list(&plan.outputs, |[width, height]| format!("{width}x{height}")),
        list(&plan.layers, u32::to_string),
        list(&plan.costs, |cost| cost.to_string()),
        list(&plan.kinds, |kind| kind.to_string()),
        list(&plan.methods, |method| method.name().to_owned()),
        list(&plan.pixels_per_wave, u32::to_string),
        list(&plan.dials, Dial::to_string),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_benchmark_names_the_command_that_does_it_again() {
        let wanted = small(false, vec![Method::PixelLoop, Method::WaveTree]);
        assert_eq!(
            wanted.command,
            "wavelerp bench --parts sweep --outputs 32x32,128x128,640x360,1920x1080 --layers 8,64,512 --cost cheap \
             --kind particles --methods pixel-loop,wave-tree --pixels-per-wave 1,8,32 \
             --dials 4p,1,4,16,64,128b --rounds 10"
        );
        assert!(small(true, Vec::new()).plan.cells().len() < wanted.plan.cells().len());
    }
}
