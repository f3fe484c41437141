//! Where a frame's time goes: a bar per scene or case, stacked by pass.

use super::axis::{
    BOTTOM, Key, LABEL, MARGIN, RIGHT, TOP, heading, labels_below, legend, paragraph,
};
use super::page::{DIM, GRID, INK, Page, Point, fitted, picture, width};
use super::palette::{on, pass};
use crate::error::Result;
use crate::model::format::time;
use crate::report::bench::groups::{FramePasses, Group};
use crate::report::bench::record::Record;
use crate::report::canvas::Canvas;
use crate::report::text::Align;

const LEFT: f64 = MARGIN + 250.0;
const LEGEND: f64 = RIGHT - 240.0;
/// Room right of the longest bar for its total, pixels.
const TOTAL_ROOM: f64 = 84.0;
const FOOT: f64 = BOTTOM - 56.0;
/// Greatest height of a bar with the space around it, pixels.
const TALLEST: f64 = 110.0;

/// Draws the bars.
pub(super) fn draw(record: &Record, groups: &[Group<'_>]) -> Result<Option<Canvas>> {
    let frames = groups
        .iter()
        .filter_map(|group| Some((group.work.to_string(), group.frame()?)));
    let frames: Vec<(String, FramePasses)> = frames.collect();
    let longest = frames
        .iter()
        .map(|(_, frame)| frame.total())
        .fold(0.0, f64::max);
    if longest <= 0.0 {
        return Ok(None);
    }
    let labels = labels(&frames);
    let scale = (LEGEND - 24.0 - TOTAL_ROOM - LEFT) / longest;
    let height = ((FOOT - TOP) / frames.len() as f64).min(TALLEST);
    let foot = TOP + height * frames.len() as f64;
    let canvas = picture(|page| {
        heading(page, record, "GPU time of a frame by pass");
        axis(page, [longest, scale], foot)?;
        for (index, (name, frame)) in frames.iter().enumerate() {
            let middle = TOP + (index as f64 + 0.5) * height;
            names(page, [MARGIN, middle], name, frame);
            bar(page, frame, &labels, [middle, height], scale)?;
        }
        keys(page, &labels)
    })?;
    Ok(Some(canvas))
}

/// The labels of all passes in the order in which they first appear.
fn labels<'a>(frames: &[(String, FramePasses<'a>)]) -> Vec<&'a str> {
    let mut labels = Vec::new();
    for &(label, _) in frames.iter().flat_map(|(_, frame)| &frame.passes) {
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels
}

fn axis(page: &Page<'_>, [longest, scale]: [f64; 2], foot: f64) -> Result<()> {
    let step = step(longest);
    let ticks = (0..)
        .map(|i| f64::from(i) * step)
        .take_while(|tick| *tick <= longest);
    let ticks: Vec<(f64, String)> = ticks
        .map(|tick| {
            (
                LEFT + tick * scale,
                if tick == 0.0 {
                    "0".to_owned()
                } else {
                    time(tick)
                },
            )
        })
        .collect();
    for (x, _) in &ticks {
        page.line(&[[*x, TOP], [*x, foot]], 1.0, GRID)?;
    }
    labels_below(page, foot + 16.0, LABEL, &ticks);
    let middle = f64::midpoint(LEFT, LEGEND - TOTAL_ROOM);
    let text = "GPU time, medians of the passes one after the other";
    page.text([middle, foot + 44.0], LABEL, DIM, Align::Center, text);
    Ok(())
}

/// 1, 2 or 5 times a power of ten, so that an axis has four to ten steps.
fn step(longest: f64) -> f64 {
    let decade = 10f64.powi((longest / 10.0).log10().floor() as i32);
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * decade);
    let fitting = steps.into_iter().find(|step| longest / step <= 10.0);
    fitting.unwrap_or(10.0 * decade)
}

fn names(page: &Page<'_>, [x, middle]: Point, name: &str, frame: &FramePasses<'_>) {
    let room = LEFT - x - 14.0;
    let [name, runner] =
        [(LABEL + 1.0, name), (LABEL - 2.0, frame.runner)].map(|(size, t)| fitted(size, t, room));
    page.text([x, middle - 11.0], LABEL + 1.0, INK, Align::Left, &name);
    page.text([x, middle + 12.0], LABEL - 2.0, DIM, Align::Left, &runner);
}

fn bar(
    page: &Page<'_>,
    frame: &FramePasses<'_>,
    labels: &[&str],
    [middle, height]: [f64; 2],
    scale: f64,
) -> Result<()> {
    let [top, bottom] = [-0.34, 0.34].map(|part| middle + part * height);
    let mut x = LEFT;
    for (label, spread) in &frame.passes {
        let end = x + spread.median * scale;
        let index = labels.iter().position(|other| other == label).unwrap_or(0);
        let fill = pass(index);
        // A gap of one pixel between passes, unless the pass is thinner than that.
        let inner = (end - 1.0).max(x + 0.5);
        page.rectangle([[x, top], [inner, bottom]], fill)?;
        let text = time(spread.median);
        if width(LABEL - 3.0, &text) + 8.0 <= end - x {
            let at = [f64::midpoint(x, end), middle];
            page.text(at, LABEL - 3.0, on(fill), Align::Center, &text);
        }
        x = end;
    }
    page.text(
        [x + 8.0, middle],
        LABEL,
        INK,
        Align::Left,
        &time(frame.total()),
    );
    Ok(())
}

fn keys(page: &Page<'_>, labels: &[&str]) -> Result<()> {
    let key = |(index, label): (usize, &&str)| Key {
        colour: pass(index),
        marker: None,
        text: (*label).to_owned(),
    };
    let keys: Vec<Key> = labels.iter().enumerate().map(key).collect();
    let y = legend(page, [LEGEND, TOP], &keys)?;
    let text = "Each bar is the fastest frame: the method named below the scene has the smallest \
        sum of passes.";
    paragraph(page, [LEGEND, y + 14.0], RIGHT - LEGEND, text);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::bench::fixture;
    use crate::report::bench::groups::groups;

    #[test]
    fn an_axis_has_a_few_round_steps() {
        for longest in [0.9, 1.0, 37.0, 999.0, 12_345.0] {
            let steps = longest / step(longest);
            assert!((1.9..=10.0).contains(&steps), "{longest}: {steps}");
        }
        assert_eq!(
            [step(1820.0), step(999.0), step(450.0)],
            [200.0, 100.0, 50.0]
        );
    }

    #[test]
    fn a_bar_shows_the_fastest_frame_with_all_its_passes() {
        let record = fixture::large_gpu();
        let groups = groups(&record);
        let frames = groups
            .iter()
            .filter_map(|group| Some((group.work.to_string(), group.frame()?)));
        let frames: Vec<(String, FramePasses)> = frames.collect();
        assert_eq!(frames.len(), 7, "six scenes and a case");
        assert_eq!(frames[0].0, "temple 1920x1080, tiles of 16");
        assert_eq!(frames[0].1.runner, "pixel-loop");
        assert_eq!(frames[0].1.passes.len(), 10);
        assert_eq!(labels(&frames).len(), 11);
        assert!((frames[0].1.total() - 1820.0).abs() < 60.0);
    }
}
