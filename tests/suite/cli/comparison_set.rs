//! The files of a comparison set that remain after the device is lost.

use wavelerp::error::Result;
use wavelerp::model::methods::Method;
use wavelerp::progress::Progress;
use wavelerp::report::folder::Output;
use wavelerp::runs::capture::SetRequest;
use wavelerp::runs::capture::set::{ComparisonSet, SET};

use super::{Desk, of_flags};
use crate::harness::{Harness, says};

const FLAGS: &str = "--scene temple --size 20x12 --particles 9 --fog-slices 2";

fn wanted(harness: &Harness) -> SetRequest {
    let (scene, settings) = of_flags(harness, FLAGS);
    SetRequest {
        scene,
        settings,
        reference: Method::PixelLoop,
        methods: vec![Method::PixelLoop, Method::WaveTree],
        difference_range: Default::default(),
        exr: false,
        page: Default::default(),
        traced: false,
        shaders_folder: None,
    }
}

fn output(desk: &Desk) -> Output {
    let output = Output::choose(SET, Some(&desk.path("set")), "temple", true);
    output.expect("a folder")
}

/// Makes a set, and loses the device at the start of the named step.
fn lost(desk: &Desk, step: &str) -> Result<ComparisonSet> {
    let harness = Harness::alone();
    let (gpu, pipelines, wanted) = (&harness.gpu, &harness.pipelines, wanted(&harness));
    let mut progress = |at: Progress| {
        if at.next == step {
            gpu.device.destroy();
            // Polling detects the loss at once, as if a driver had reported it.
            let _ = gpu.device.poll(wgpu::PollType::wait_indefinitely());
        }
        Ok(())
    };
    let mut output = output(desk);
    ComparisonSet::make(
        gpu,
        pipelines,
        &wanted,
        &[],
        None,
        &mut output,
        &mut progress,
    )
}

#[test]
fn a_loss_before_the_first_picture_leaves_the_older_set() {
    let desk = Desk::new();
    desk.folder("set");
    desk.write("set/report.json", "old");
    let error = lost(&desk, "drawing temple").err().expect("a failure");
    says(&error.message, "the device was lost | start again");
    assert_eq!(desk.everything().len(), 2);
    assert_eq!(desk.read("set/report.json"), b"old");
}

#[test]
fn a_loss_later_leaves_what_there_is_and_says_of_each_method_what_it_lacks() {
    for (step, drawn) in [("compositing by wave-tree", 1), ("timing", 2)] {
        let desk = Desk::new();
        let set = lost(&desk, step).expect("a set");
        says(
            set.failure.expect("a failure").message,
            "the device was lost",
        );
        let pictures = desk.names("set").into_iter();
        let pictures = pictures.filter(|name| name.starts_with("diff_"));
        assert_eq!(pictures.count(), drawn, "{step}");
        let report = desk.json("set/report.json");
        for (index, method) in super::items(&report["methods"]).iter().enumerate() {
            let lacks = ["untimed", "unavailable"][usize::from(index >= drawn)];
            let reason = method[lacks].as_str().unwrap_or_default();
            says(reason, "the device was lost");
        }
    }
}
