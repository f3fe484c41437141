//! The flags that every subcommand takes, and what commands do with them.

use std::path::PathBuf;
use web_time::{Duration, Instant};

use crate::console::say;
use crate::error::{Result, printable};
use crate::gpu::shader::{ShaderSource, folder};
use crate::gpu::{AdapterRequest, Gpu, Pipelines, capabilities};
use crate::input::Disk;
use crate::model::files::ForBuffers;
use crate::model::methods::Method;
use crate::model::options::Options;
use crate::model::settings::{Request, SceneArgs};
use crate::model::{Capabilities, ClockChoice};
use crate::progress::{Progress, left_in_words, seconds_left};
use crate::runs::verify::self_test::{MethodStatus, self_test};

/// Flags that every subcommand takes.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Adapter and messages")]
pub struct Common {
    /// Adapter to use: part of its name, or its index in `wavelerp list` [default: the fastest kind]
    #[arg(
        long,
        global = true,
        value_name = "NAME|INDEX",
        env = "WAVELERP_ADAPTER"
    )]
    pub adapter: Option<String>,
    /// Back end to use [default: any]
    #[arg(long, global = true, value_parser = ["vulkan", "metal", "dx12"])]
    pub backend: Option<String>,
    /// Source of times; `auto` tests GPU timestamps first and falls back to the wall clock
    #[arg(long, global = true, value_enum, default_value_t)]
    pub clock: ClockChoice,
    /// Folder of shaders that replace the embedded ones of the same name [default: in the window, shaders/ next to
    /// the program or in its checkout; otherwise none]
    #[arg(long, global = true, value_name = "DIR", env = "WAVELERP_SHADERS")]
    pub shaders: Option<PathBuf>,
    /// Print only results and errors
    #[arg(long, global = true)]
    pub quiet: bool,
}

impl Common {
    pub fn open(&self) -> Result<Gpu> {
        Gpu::open(&self.request())
    }

    pub fn self_test(
        &self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        methods: &[Method],
        options: &Options,
    ) -> Result<Vec<MethodStatus>> {
        self.progress("testing the methods");
        self_test(gpu, pipelines, methods, options, &mut |_| Ok(()))
    }

    /// Capabilities of the adapter; `None` if the user named no adapter and there is none.
    pub fn capabilities(&self) -> Result<Option<Capabilities>> {
        match capabilities(&self.request()) {
            Ok(caps) => Ok(Some(caps)),
            Err(error) if self.adapter.is_some() || self.backend.is_some() => Err(error),
            Err(_) => Ok(None),
        }
    }

    pub fn request(&self) -> AdapterRequest {
        AdapterRequest {
            adapter: self.adapter.clone(),
            backend: self.backend.clone(),
            clock: self.clock,
        }
    }

    /// Shaders in the folder that the user named; `None` if the user named no folder.
    pub fn taken_shaders(&self) -> Result<Option<folder::Taken>> {
        self.shaders.as_deref().map(folder::named).transpose()
    }

    /// Source of all shaders. `run` checks the user's folder before any command starts.
    pub fn shader_source(&self) -> ShaderSource {
        ShaderSource {
            folder: self.shaders.clone(),
            ..ShaderSource::default()
        }
    }

    /// Shader folder that the window shows and watches: the folder named by the user, or the program's own.
    pub fn watched_shaders(&self) -> Result<Option<PathBuf>> {
        let taken = self.taken_shaders()?;
        Ok(taken.map(|taken| taken.folder).or_else(folder::own_here))
    }

    pub fn pipelines(&self) -> Pipelines {
        Pipelines::new(self.shader_source())
    }

    /// Reads the scene that these flags name, and lists the ignored contents of its files. A scene with splats is first
    /// checked against the limits of the adapter, if there is one.
    pub fn read(&self, args: &SceneArgs) -> Result<Request> {
        let outline = args.check_outline(&Disk)?;
        let caps = match outline.scene.splats.is_empty() {
            true => None,
            false => self.capabilities()?,
        };
        let request = args.check(&ForBuffers {
            files: &Disk,
            largest: caps.map(|caps| caps.max_binding_bytes),
        })?;
        for remark in request.scene.remarks() {
            self.progress(remark);
        }
        Ok(request)
    }

    pub fn progress(&self, message: impl std::fmt::Display) {
        if !self.quiet {
            say(printable(&message.to_string()));
        }
    }

    /// Prints the progress of long-running work.
    pub fn listener(&self) -> impl FnMut(Progress) -> Result<()> {
        let began = Instant::now();
        move |at: Progress| {
            self.progress(line(&at, began.elapsed()));
            Ok(())
        }
    }
}

/// Formats progress, for example as "12 % 1920x1080, 128 layers, cheap particles, 34 s left".
fn line(at: &Progress, spent: Duration) -> String {
    let left = left_in_words(at.left.or_else(|| seconds_left(spent, at.done)));
    format!("{:3.0} % {}{left}", at.done * 100.0, at.next)
}
