//! `wavelerp list`: adapters, methods and scenes.

use std::fmt::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::Common;
use super::output::Results;
use crate::error::Result;
use crate::gpu::{Capabilities, Clock, Gpu, adapters, clock, describe};
use crate::methods::{Entry, Method, TABLE};
use crate::scene;
use crate::verify::self_test::{MethodStatus, self_test};

/// Arguments of `list`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wavelerp list
  wavelerp list --adapter llvmpipe
  wavelerp list --json -")]
pub struct ListArgs {
    /// Write the lists as JSON to this file too; `-` is standard output, and nothing else there
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    json: Option<PathBuf>,
}

#[derive(Serialize)]
struct MethodRow {
    #[serde(flatten)]
    status: MethodStatus,
    mapping: &'static str,
    cost: &'static str,
    guarantee: &'static str,
    origin: &'static str,
}

#[derive(Serialize)]
struct SceneRow {
    name: String,
    shows: String,
    cameras: Vec<String>,
}

#[derive(Serialize)]
struct Lists {
    adapters: Vec<Capabilities>,
    /// None where there is no adapter.
    adapter: Option<String>,
    clock: Option<Clock>,
    methods: Vec<MethodRow>,
    scenes: Vec<SceneRow>,
}

pub(super) fn run(args: &ListArgs, common: &Common) -> Result<()> {
    let results = Results::choose(args.json.as_deref())?;
    let opened = common.open();
    if let Err(error) = &opened
        && !adapters().is_empty()
    {
        return Err(error.clone());
    }
    // Methods and scenes are listed without an adapter, too.
    let lists = Lists::gather(common, opened.as_ref().ok())?;
    results.write(&lists, || lists.text())?;
    opened.map(drop)
}

/// What is known of a method where there is no adapter.
fn untested(method: Method) -> MethodStatus {
    MethodStatus {
        method,
        unavailable: Some("no adapter was found".to_owned()),
        wave_size: None,
    }
}

impl Lists {
    fn gather(common: &Common, gpu: Option<&Gpu>) -> Result<Self> {
        let statuses = match gpu {
            Some(gpu) => self_test(gpu, &common.pipelines())?,
            None => Method::all().map(untested).collect(),
        };
        let row = |(entry, status): (&Entry, MethodStatus)| MethodRow {
            status,
            mapping: entry.mapping,
            cost: entry.cost,
            guarantee: entry.guarantee,
            origin: entry.origin,
        };
        let scenes = scene::names()
            .into_iter()
            .map(|name| {
                let scene = scene::load(name)?;
                Ok(SceneRow {
                    name: name.to_owned(),
                    cameras: scene
                        .cameras
                        .iter()
                        .map(|camera| camera.name.clone())
                        .collect(),
                    shows: scene.shows,
                })
            })
            .collect::<Result<_>>()?;
        Ok(Self {
            adapters: adapters().iter().map(describe).collect(),
            adapter: gpu.map(|gpu| gpu.caps.name.clone()),
            clock: gpu.map(|gpu| clock(gpu).cloned()).transpose()?,
            methods: TABLE.iter().zip(statuses).map(row).collect(),
            scenes,
        })
    }

    fn text(&self) -> String {
        let mut text = String::from("Adapters (choose with --adapter INDEX or NAME)\n");
        let mut line = |parts: std::fmt::Arguments| {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{parts}");
        };
        for (index, caps) in self.adapters.iter().enumerate() {
            line(format_args!("  {index}  {}", caps.name));
            line(format_args!(
                "     {} {}, driver {}",
                caps.backend, caps.kind, caps.driver
            ));
            line(format_args!("     wave size: {}", caps.wave_text()));
            line(format_args!(
                "     found: {}",
                if caps.features_found.is_empty() {
                    "no optional feature".to_owned()
                } else {
                    caps.features_found.join(", ")
                }
            ));
            for missing in &caps.features_missing {
                line(format_args!("     missing: {missing}"));
            }
        }
        let on = match (&self.adapter, &self.clock) {
            (Some(adapter), Some(clock)) => {
                line(format_args!("\nTimes (on {adapter})\n  {clock}"));
                format!(" (on {adapter})")
            }
            _ => {
                line(format_args!("  none"));
                String::new()
            }
        };
        line(format_args!("\nMethods{on}"));
        for row in &self.methods {
            let name = row.status.method.name();
            line(format_args!("  {name:<24} {}", row.mapping));
            if self.adapter.is_some()
                && let Some(reason) = &row.status.unavailable
            {
                line(format_args!("  {:<24} unavailable: {reason}", ""));
            }
        }
        line(format_args!(
            "\nScenes (choose with --scene NAME, or --scene FILE.ron)"
        ));
        for scene in &self.scenes {
            line(format_args!("  {:<8} {}", scene.name, scene.shows));
            line(format_args!(
                "  {:<8} cameras: {}",
                "",
                scene.cameras.join(", ")
            ));
        }
        text
    }
}
