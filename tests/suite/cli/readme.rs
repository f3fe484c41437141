//! Every command of README.md runs as written, with flags that make it smaller, and every printed table has numbers.

use super::{Desk, Run};

/// A command of README.md, flags that make it small enough for a CPU adapter, and its required output.
struct Command {
    line: &'static str,
    smaller: &'static str,
    check: fn(&Desk, &Run),
}

const COMMANDS: &[Command] = &[
    Command {
        line: "wavelerp capture --scene temple --size 1920x1080",
        smaller: "--size 96x54 --particles 300 --fog-slices 4 --out set",
        check: |_, run| {
            for column in ["wall ms", "n", "ratio to read-lane-loop", "max abs"] {
                // In the table of passes, one pass has a note instead of a time.
                let numbers = rows_of(&run.stdout, column).into_iter();
                let numbers = numbers.filter(|cell| is_number(cell));
                assert!(numbers.count() >= 15, "{column}: {run}");
            }
        },
    },
    Command {
        line: "wavelerp verify",
        smaller: "--methods pixel-loop,wave-lerp-product",
        check: |_, run| {
            let of_method = |line: &&str| line.starts_with("  pixel-loop ");
            let rows: Vec<&str> = run.stdout.lines().filter(of_method).collect();
            assert_eq!(rows.len(), 10, "{run}");
            for row in rows {
                let numbers = row.split_whitespace().filter(|word| is_number(word));
                assert_eq!(numbers.count(), 6, "{row}");
            }
            assert_eq!(run.stdout.matches(" checks passed").count(), 2, "{run}");
        },
    },
    Command {
        line: "wavelerp bench --quick",
        smaller: "--parts sweep --outputs 16x16 --layers 8 --methods pixel-loop,wave-tree --out bench",
        check: |desk, run| {
            let text = desk.text("bench/bench.md");
            for column in ["median µs", "p5", "p95", "n"] {
                let rows = rows_of(&text, column);
                assert_eq!(rows.len(), 2, "{column}: {text}");
                assert!(rows.iter().all(|cell| is_number(cell)), "{column}: {text}");
            }
            run.prints("bench/map-cheap-particles.svg");
        },
    },
    Command {
        line: "wavelerp shader wave-lerp-product --ops",
        smaller: "",
        check: |_, run| {
            let mut lines = run.stdout.lines();
            let row = lines.find(|line| line.contains("FMul ExclusiveScan"));
            let row = row.unwrap_or_else(|| panic!("no scan: {run}"));
            let counts = row.split_whitespace().filter(|word| is_number(word));
            assert_eq!(counts.count(), 4, "{row}");
        },
    },
];

/// The program's commands in README.md's code blocks, without comments; tests under `window::` cover those that open
/// the window.
fn commands() -> Vec<String> {
    let blocks = include_str!("../../../README.md").split("```sh\n").skip(1);
    let blocks = blocks.filter_map(|rest| rest.split_once("```"));
    let lines = blocks.flat_map(|(block, _)| block.lines());
    let commands = lines.map(|line| line.split('#').next().unwrap_or_default().trim());
    let own = commands.filter(|command| command.starts_with("wavelerp "));
    own.map(str::to_owned).collect()
}

fn is_number(text: &str) -> bool {
    text.replace(',', "").parse::<f64>().is_ok()
}

/// Cells of a column in all Markdown tables that have the column.
fn rows_of<'t>(text: &'t str, column: &str) -> Vec<&'t str> {
    let cells = |line: &'t str| -> Vec<&'t str> { line.split('|').map(str::trim).collect() };
    let (mut found, mut at) = (Vec::new(), None);
    let mut is_heading = true;
    for line in text.lines() {
        if !line.starts_with('|') {
            (at, is_heading) = (None, true);
        } else if is_heading {
            at = cells(line).iter().position(|cell| *cell == column);
            is_heading = false;
        } else if let Some(at) = at.filter(|_| !line.contains("---")) {
            found.push(cells(line)[at]);
        }
    }
    found
}

#[test]
fn every_command_of_the_readme_runs_and_its_tables_have_numbers() {
    let lines: Vec<&str> = COMMANDS.iter().map(|command| command.line).collect();
    assert_eq!(commands(), lines, "the commands of README.md");
    for command in COMMANDS {
        let desk = Desk::new();
        let (program, arguments) = command.line.split_once(' ').expect("arguments");
        assert_eq!(program, "wavelerp");
        // A repeated flag would be rejected.
        let kept = match command.smaller.contains("--size") {
            true => arguments.split(" --size ").next().unwrap_or_default(),
            false => arguments,
        };
        let run = desk.run(&format!("{kept} {}", command.smaller)).good();
        (command.check)(&desk, &run);
    }
}
