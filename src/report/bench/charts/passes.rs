//! Where a frame's time goes: a bar per scene or case, stacked by pass.

use super::{Chart, Part, heading};
use crate::report::bench::groups::Group;
use crate::report::bench::record::Record;
use crate::report::drawing::{Bar, BarPart};
use crate::report::palette;

pub(super) fn chart(record: &Record, groups: &[Group<'_>]) -> Option<Chart> {
    let mut parts: Vec<Part> = Vec::new();
    let mut bars = Vec::new();
    for group in groups {
        let Some(frame) = group.frame().filter(|frame| frame.total() > 0.0) else {
            continue;
        };
        let part = Part::of(group.work);
        if !parts.contains(&part) {
            parts.push(part);
        }
        let pass = |&(label, spread): &(&str, crate::model::samples::Summary)| BarPart {
            name: label.to_owned(),
            colour: palette::labelled(label),
            milliseconds: spread.median / 1e3,
        };
        bars.push(Bar {
            name: group.work.to_string(),
            note: frame.of.row.runner.clone(),
            rows: vec![frame.of.place],
            parts: frame.passes.iter().map(pass).collect(),
        });
    }
    if bars.is_empty() {
        return None;
    }
    let title = "GPU time of a frame by pass";
    let mut drawing = heading(record, title);
    drawing.stacked_bars(&bars);
    drawing.paragraph(
        "Medians of the passes one after the other. Each bar is the fastest frame: the method named beside the scene has \
        the smallest sum of passes.",
    );
    Some(Chart::new("passes", title, parts, drawing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::bench::fixture;
    use crate::report::bench::groups::groups;
    use crate::report::svg::tests::read;

    #[test]
    fn a_bar_shows_the_fastest_frame_with_all_its_passes() {
        let record = fixture::large_gpu();
        let chart = chart(&record, &groups(&record)).expect("bars");
        let marks = read(&chart.svg).marks;
        // Six scenes, of which one has no bloom, and a case of four passes.
        assert_eq!(marks.len(), 6 * 11 - 1 + 4);
        let (rows, words) = &marks[0];
        assert_eq!(record.rows[rows[0]].runner, "pixel-loop");
        assert!(
            words.starts_with("temple 1920x1080, tiles of 16, simulate: "),
            "{words}"
        );
    }
}
