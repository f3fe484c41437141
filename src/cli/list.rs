//! `wavelerp list`: adapters, methods and scenes.

use std::path::PathBuf;

use serde::Serialize;

use super::{Common, is_stdout, write_json};
use crate::error::Result;
use crate::gpu::{Capabilities, Gpu, adapters, describe};
use crate::methods::{Entry, TABLE};
use crate::scene;
use crate::verify::self_test::{MethodStatus, self_test};

/// Arguments of `list`.
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// Write the lists as JSON to this file; `-` is standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Serialize)]
struct MethodRow {
    name: &'static str,
    mapping: &'static str,
    origin: &'static str,
    #[serde(flatten)]
    status: MethodStatus,
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
    methods: Vec<MethodRow>,
    scenes: Vec<SceneRow>,
}

pub(super) fn run(args: &ListArgs, common: &Common) -> Result<()> {
    let lists = Lists::gather(common)?;
    if let Some(path) = &args.json {
        write_json(path, &lists)?;
    }
    if !is_stdout(args.json.as_ref()) {
        lists.print();
    }
    Ok(())
}

impl Lists {
    fn gather(common: &Common) -> Result<Self> {
        let gpu: Gpu = common.open()?;
        let statuses = self_test(&gpu, &common.pipelines()?)?;
        let row = |(entry, status): (&Entry, MethodStatus)| MethodRow {
            name: entry.name,
            mapping: entry.mapping,
            origin: entry.origin,
            status,
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
            adapter: Some(gpu.caps.name.clone()),
            methods: TABLE.iter().zip(statuses).map(row).collect(),
            scenes,
        })
    }

    fn print(&self) {
        println!("Adapters (choose with --adapter INDEX or NAME)");
        for (index, caps) in self.adapters.iter().enumerate() {
            println!("  {index}  {}", caps.name);
            println!("     {} {}, {}", caps.backend, caps.kind, caps.driver);
            match caps.waves {
                true => println!("     waves of {} to {} lanes", caps.wave_min, caps.wave_max),
                false => println!("     no wave operations"),
            }
            println!("     found: {}", caps.features_found.join(", "));
            for missing in &caps.features_missing {
                println!("     missing: {missing}");
            }
        }
        let adapter = self.adapter.as_deref().unwrap_or("no adapter");
        println!("\nMethods (on {adapter})");
        for row in &self.methods {
            println!("  {:<24} {}", row.name, row.mapping);
            if let Some(reason) = &row.status.unavailable {
                println!("  {:<24} unavailable: {reason}", "");
            }
        }
        println!("\nScenes (choose with --scene NAME)");
        for scene in &self.scenes {
            println!("  {:<8} {}", scene.name, scene.shows);
            println!("  {:<8} cameras: {}", "", scene.cameras.join(", "));
        }
    }
}
