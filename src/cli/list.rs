//! `wavelerp list`: adapters, methods and scenes.

use std::path::PathBuf;

use serde::Serialize;

use super::common::Common;
use super::output::Results;
use crate::error::Result;
use crate::gpu::{Gpu, adapters, clock, describe};
use crate::input::Disk;
use crate::model::methods::Method;
use crate::model::{Capabilities, Clock, scene};
use crate::report::table::plain;
use crate::runs::verify::self_test::{MethodStatus, usual_options};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wavelerp list
  wavelerp list --adapter llvmpipe
  wavelerp list --json -")]
pub struct ListArgs {
    /// Also write the lists as JSON to this file; `-` prints only JSON to standard output
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    json: Option<PathBuf>,
}

#[derive(Serialize)]
struct MethodRow {
    #[serde(flatten)]
    status: MethodStatus,
    /// Fraction of the adapter that can draw, if it is small and the method draws.
    drawing_part: Option<&'static str>,
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
    adapter: Option<String>,
    clock: Option<Clock>,
    methods: Vec<MethodRow>,
    scenes: Vec<SceneRow>,
}

pub(super) fn run(args: &ListArgs, common: &Common) -> Result<()> {
    let results = Results::choose(args.json.as_deref())?;
    let all = adapters();
    let opened = Gpu::open_one_of(all.clone(), &common.request());
    if let Err(error) = &opened
        && !all.is_empty()
    {
        return Err(error.clone());
    }
    // Methods and scenes are listed even without an adapter.
    let lists = Lists::gather(common, &all, opened.as_ref().ok())?;
    results.write(&lists, || lists.text())?;
    opened.map(drop)
}

impl Lists {
    fn gather(common: &Common, all: &[wgpu::Adapter], gpu: Option<&Gpu>) -> Result<Self> {
        let statuses = match gpu {
            Some(gpu) => {
                let every_method: Vec<Method> = Method::all().collect();
                common.self_test(gpu, &common.pipelines(), &every_method, &usual_options())?
            }
            None => {
                let why = || Some("no adapter was found".to_owned());
                let status = |method| MethodStatus::tested(method, why(), None);
                Method::all().map(status).collect()
            }
        };
        let name = gpu.map_or("", |gpu| &gpu.caps.name);
        let row = |(method, status): (Method, MethodStatus)| {
            let entry = method.entry();
            MethodRow {
                status,
                drawing_part: method.drawing_part(name),
                mapping: entry.mapping,
                cost: entry.cost,
                guarantee: entry.guarantee,
                origin: entry.origin,
            }
        };
        let scene_row = |name: &str| {
            let scene = scene::outline(name, &Disk)?;
            let cameras = scene.cameras.into_iter().map(|camera| camera.name);
            Ok(SceneRow {
                name: name.to_owned(),
                shows: scene.shows,
                cameras: cameras.collect(),
            })
        };
        let scenes = scene::names().into_iter().map(scene_row);
        let scenes = scenes.collect::<Result<_>>()?;
        Ok(Self {
            adapters: all.iter().map(describe).collect(),
            adapter: gpu.map(|gpu| gpu.caps.name.clone()),
            clock: gpu.map(|gpu| clock(gpu).cloned()).transpose()?,
            methods: Method::all().zip(statuses).map(row).collect(),
            scenes,
        })
    }

    fn text(&self) -> String {
        let mut text = String::from("Adapters (choose with --adapter INDEX or NAME)\n");
        for (index, caps) in self.adapters.iter().enumerate() {
            let found = match caps.features_found.is_empty() {
                true => "no optional feature".to_owned(),
                false => caps.features_found.join(", "),
            };
            text += &format!(
                "  {index}  {}\n     {} {}, driver {}\n     wave size: {}\n     found: {found}\n",
                caps.name,
                caps.backend,
                caps.kind,
                caps.driver,
                caps.wave_text()
            );
            for missing in &caps.features_missing {
                text += &format!("     missing: {missing}\n");
            }
        }
        let mut on = String::new();
        match (&self.adapter, &self.clock) {
            (Some(adapter), Some(clock)) => {
                on = format!(" (on {adapter})");
                text += &format!("\nTimes{on}\n  {clock}\n");
            }
            _ => text += "  none\n",
        }
        let lines = |row: &MethodRow| {
            let name = row.status.method.name();
            let reason = row.status.unavailable.iter();
            let reason = reason.filter(|_| self.adapter.is_some());
            let reason = reason.map(|reason| format!("unavailable: {reason}"));
            let drawing = row.drawing_part.map(|part| {
                format!("only {part} of this GPU can draw: it is timed, but not compared")
            });
            let below = drawing.into_iter().chain(reason);
            let below = below.map(|line| vec![String::new(), line]);
            let first = [name, row.mapping].map(str::to_owned);
            Vec::from_iter([first.to_vec()].into_iter().chain(below))
        };
        let group = |is_exact: bool| {
            let rows = self.methods.iter();
            let rows = rows.filter(|row| row.status.method.is_exact() == is_exact);
            plain(&["", ""], &[], rows.flat_map(lines))
        };
        let (exact, approximate) = (group(true), group(false));
        let scenes = self.scenes.iter().flat_map(|scene| {
            let cameras = format!("cameras: {}", scene.cameras.join(", "));
            let scene = [scene.name.clone(), scene.shows.clone()];
            [scene.to_vec(), vec![String::new(), cameras]]
        });
        let scenes = plain(&["", ""], &[], scenes);
        text + &format!(
            "\nMethods{on}\n{exact}\nApproximate methods\n{approximate}\n\
             Scenes (choose with --scene NAME, or --scene FILE.ron)\n{scenes}"
        )
    }
}
