//! What a stranger finds in a recording: the program records frames under Debian's RenderDoc on software
//! Vulkan, and `tests/renderdoc/read_capture.py` replays them. `cargo xtask test` installs both; their
//! absence is a failure.

use std::path::Path;
use std::process::{Command, Output};

use serde::Deserialize;

use crate::cli::Desk;
use crate::docs::root;
use crate::harness::usual_passes;
use wavelerp::model::methods::Method;
use wavelerp::model::passes::Pass;

/// What attaches RenderDoc to a program on Linux.
pub const ATTACHED: [(&str, &str); 1] = [("ENABLE_VULKAN_RENDERDOC_CAPTURE", "1")];
/// The groups of a frame as docs/profiling.md lists them. Renaming a pass must be done here and there, too.
const GROUPS: &str =
    "simulate opaque project bin lists shadow surface light composite bloom resolve";
/// Some of what a frame is made of, by the names that its documentation uses. Samplers that are alike are
/// one under the newer's name: the froxels' is egui's in a window.
const RESOURCES: &str = "frame constants|emitters|particles|splats|macro entries|tile lists|layers|counters|\
                         indirect arguments|composites|froxels|shadow map|opaque depth|resolved|\
                         shadow sampler";

/// A recording, as the script tells it.
#[derive(Clone, Deserialize)]
pub struct Recording {
    actions: Vec<Action>,
    resources: Vec<Resource>,
}

/// A group, or something that was done.
#[derive(Clone, Deserialize)]
struct Action {
    name: String,
    is_group: bool,
    children: Vec<Action>,
    /// Of dispatches and draws.
    #[serde(default)]
    shaders: Vec<Shader>,
}

#[derive(Clone, Deserialize)]
struct Shader {
    pipeline: String,
    entry: String,
    files: Vec<SourceFile>,
}

#[derive(Clone, Deserialize)]
struct SourceFile {
    name: String,
    text: String,
}

#[derive(Clone, Deserialize)]
struct Resource {
    kind: String,
    label: String,
}

/// Replays a file. Debian's module is for the system's own Python.
pub fn replay(path: &Path) -> Recording {
    let replayed = || {
        let mut python = Command::new("/usr/bin/python3");
        python.arg(root().join("tests/renderdoc/read_capture.py"));
        let output = python.arg(path).arg("--json").output();
        output.expect("python3 is needed, `cargo xtask setup --test` installs it")
    };
    // RenderDoc's module crashes now and then as it ends: a thread of its own reads the environment meanwhile.
    let by_signal = |output: &Output| output.status.code().is_none();
    let first = replayed();
    let output = if by_signal(&first) { replayed() } else { first };
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "python3-renderdoc is needed, `cargo xtask setup --test` installs it: {stderr}"
    );
    serde_json::from_slice(&output.stdout).expect("the script writes JSON")
}

impl Action {
    /// This and everything below it.
    fn all(&self) -> Vec<&Action> {
        let below = self.children.iter().flat_map(Action::all);
        std::iter::once(self).chain(below).collect()
    }

    /// Dispatches and draws in it.
    fn work(&self) -> Vec<&Action> {
        let mut all = self.all();
        all.retain(|action| !action.shaders.is_empty() || is_work(&action.name));
        all
    }
}

fn is_work(name: &str) -> bool {
    name.starts_with("vkCmdDispatch") || name.starts_with("vkCmdDraw")
}

impl Recording {
    /// Everything that must hold of a frame by `method` with these passes.
    pub fn check(&self, passes: &[&str], method: &str) -> Result<(), String> {
        self.check_groups(passes)?;
        self.check_method(method)?;
        self.check_sources()?;
        self.check_labels()?;
        self.check_resources()
    }

    /// Every pass is one group, in order, and nothing is done outside them.
    fn check_groups(&self, passes: &[&str]) -> Result<(), String> {
        let all = || self.actions.iter().flat_map(Action::all);
        for pass in passes {
            let count = all().filter(|a| a.is_group && a.name == *pass).count();
            if count != 1 {
                return Err(format!("group {pass} is there {count} times"));
            }
        }
        let groups = self.actions.iter().filter(|action| action.is_group);
        let names: Vec<&str> = groups.map(|group| group.name.as_str()).collect();
        if names != passes {
            return Err(format!("{names:?} are not {passes:?}"));
        }
        for action in &self.actions {
            match (action.is_group, action.work().len()) {
                (true, 0) => return Err(format!("nothing is done in {}", action.name)),
                (false, 1..) => return Err(format!("{} is in no group", action.name)),
                _ => {}
            }
        }
        Ok(())
    }

    /// The composite is one group of the method's name, with a dispatch of the method's pipeline.
    fn check_method(&self, method: &str) -> Result<(), String> {
        let mut actions = self.actions.iter();
        let composite = actions.find(|action| action.name == Pass::Composite.label());
        let kinds = &composite.ok_or("no composite")?.children;
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name.as_str()).collect();
        if names != [method] {
            return Err(format!("{names:?} in the composite, not {method}"));
        }
        let file = format!("methods.{}.wgsl", method.replace('-', "_"));
        let shaders = || kinds[0].work().into_iter().flat_map(|work| &work.shaders);
        let is_named = |shader: &Shader| {
            shader.pipeline.starts_with(&file) && shader.files.iter().any(|f| f.name == file)
        };
        if shaders().next().is_some() && shaders().all(is_named) {
            Ok(())
        } else {
            Err(format!("{method} does not run {file}"))
        }
    }

    /// Every dispatch and draw has its text, in which its entry point stands; egui's file has no ending.
    fn check_sources(&self) -> Result<(), String> {
        for work in self.actions.iter().flat_map(Action::work) {
            let has_text = |shader: &Shader| {
                let entry = format!("fn {}(", shader.entry);
                let is_named = |name: &str| name.ends_with(".wgsl") || name == "egui";
                let mut files = shader.files.iter();
                files.any(|file| is_named(&file.name) && file.text.contains(&entry))
            };
            if work.shaders.is_empty() || !work.shaders.iter().all(has_text) {
                let pipelines = work.shaders.iter().map(|shader| &shader.pipeline);
                let pipelines: Vec<&String> = pipelines.collect();
                return Err(format!("{} has no text: {pipelines:?}", work.name));
            }
        }
        Ok(())
    }

    /// Every buffer, texture, sampler and pipeline has a label.
    fn check_labels(&self) -> Result<(), String> {
        for kind in ["buffer", "texture", "sampler", "pipeline"] {
            let mut of_kind = self.resources.iter().filter(|one| one.kind == kind);
            if of_kind.clone().next().is_none() || of_kind.any(|one| one.label.is_empty()) {
                return Err(format!("a {kind} without a label, or none at all"));
            }
        }
        Ok(())
    }

    /// Checks that the resources of a whole frame are there by their labels.
    fn check_resources(&self) -> Result<(), String> {
        let is_there = |label: &&str| !self.resources.iter().any(|one| one.label == **label);
        match RESOURCES.split('|').find(is_there) {
            Some(label) => Err(format!("nothing is labelled {label}")),
            None => Ok(()),
        }
    }
}

const SMALL: &str = "--scene temple --size 64x36 --particles 200 --fog-slices 4 --quiet";

/// Records these methods; returns the replayed files.
fn record(desk: &Desk, methods: &[&str]) -> Vec<Recording> {
    let methods_flag = methods.join(",");
    let line = format!("capture --renderdoc {SMALL} --methods {methods_flag}");
    let run = desk.run_with(&line, &ATTACHED).good();
    let files = methods.iter().map(|m| format!("captures/temple_{m}.rdc"));
    let files: Vec<String> = files.collect();
    assert_eq!(run.stdout.lines().collect::<Vec<_>>(), files, "{run}");
    assert_eq!(run.stderr, "", "{run}");
    assert_eq!(desk.everything().len(), 1 + files.len(), "nothing else");
    files.iter().map(|file| replay(&desk.path(file))).collect()
}

#[test]
fn a_stranger_finds_every_pass_the_method_its_text_and_all_labels() {
    let groups: Vec<&str> = GROUPS.split(' ').collect();
    assert!(usual_passes().map(Pass::label).eq(groups.iter().copied()));
    let desk = Desk::new();
    // One through wgpu, one by way of our own SPIR-V.
    let methods = ["wave-lerp-ballot", "wave-lerp-find-msb"];
    let recordings = record(&desk, &methods);
    for (recording, method) in recordings.iter().zip(methods) {
        recording.check(&groups, method).expect(method);
    }
    negative_controls(&recordings[0], &groups, methods);
}

/// Whatever is changed in a good recording must be found.
fn negative_controls(good: &Recording, groups: &[&str], [method, other]: [&str; 2]) {
    let changed = |change: &dyn Fn(&mut Recording)| {
        let mut recording = good.clone();
        change(&mut recording);
        recording.check(groups, method)
    };
    assert_eq!(changed(&|_| {}), Ok(()));
    assert!(good.check(groups, other).is_err(), "another method's name");
    for index in 0..groups.len() {
        let mut renamed = groups.to_vec();
        renamed[index] = "renamed";
        assert!(good.check(&renamed, method).is_err(), "{}", groups[index]);
    }
    let place = |recording: &Recording, pass: Pass| {
        let mut actions = recording.actions.iter();
        let found = actions.position(|action| action.name == pass.label());
        found.expect("a pass")
    };
    let swapped = |recording: &mut Recording| {
        let [a, b] = [Pass::Bin, Pass::Lists].map(|pass| place(recording, pass));
        recording.actions.swap(a, b);
    };
    let twice = |recording: &mut Recording| {
        let again = recording.actions[place(recording, Pass::Light)].clone();
        recording.actions.push(again);
    };
    let stray = |recording: &mut Recording| {
        let at = place(recording, Pass::Bin);
        let work = recording.actions[at].children[0].clone();
        recording.actions.push(work);
    };
    let no_text = |recording: &mut Recording| {
        let at = place(recording, Pass::Resolve);
        recording.actions[at].children[0].shaders[0].files.clear();
    };
    let no_label = |recording: &mut Recording| recording.resources[5].label.clear();
    let lost = |recording: &mut Recording| recording.resources.retain(|r| r.label != "froxels");
    let changes: [&dyn Fn(&mut Recording); 6] =
        [&swapped, &twice, &stray, &no_text, &no_label, &lost];
    for (number, change) in changes.into_iter().enumerate() {
        assert!(changed(change).is_err(), "change {number}");
    }
}

#[test]
fn a_recording_replaces_an_older_one_whole_and_goes_where_it_is_told() {
    let desk = Desk::new();
    let line = format!("capture --renderdoc {SMALL} --methods pixel-loop --out there");
    desk.run_with(&line, &ATTACHED).good();
    let first = desk.read("there/temple_pixel-loop.rdc");
    let again = line.replace("--quiet", "");
    desk.refuses_with(&again, &ATTACHED, 2, "--out there | --force");
    desk.write("there/temple_pixel-loop.rdc", "old");
    desk.run_with(&format!("{line} --force"), &ATTACHED).good();
    let second = desk.read("there/temple_pixel-loop.rdc");
    assert!(second.len() > first.len() / 2, "{} bytes", second.len());
    assert_eq!(desk.everything().len(), 2, "a folder with one file");
}

#[test]
fn a_drawn_methods_parts_have_its_name() {
    let method = Method::FixedFunction.name();
    let recordings = record(&Desk::new(), &[method]);
    let actions = recordings[0].actions.iter();
    let named: Vec<(&str, &str)> = actions
        .filter(|action| action.name.starts_with(Pass::Composite.label()))
        .flat_map(|part| part.children.iter().map(|kind| (part.name.as_str(), kind)))
        .flat_map(|(part, kind)| kind.all().into_iter().map(move |below| (part, below)))
        .filter(|(_, below)| below.is_group)
        .map(|(part, below)| (part, below.name.as_str()))
        .collect();
    let expected = [
        ("composite (stream)", "fixed-function (stream)"),
        ("composite", "fixed-function"),
        ("composite (store)", "fixed-function (store)"),
    ];
    assert_eq!(named, expected);
    recordings[0].check_sources().expect("sources");
    recordings[0].check_labels().expect("labels");
    // It needs no lists, so there are none.
    assert!(recordings[0].check_resources().is_err());
}

#[test]
fn without_renderdoc_one_line_says_how_to_start_it() {
    let parts = "ENABLE_VULKAN_RENDERDOC_CAPTURE=1 | renderdoccmd capture | cargo xtask renderdoc";
    let line = format!("capture --renderdoc {}", SMALL.replace("--quiet", ""));
    Desk::new().refuses(&line, 1, parts);
}
