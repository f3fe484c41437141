//! Logs a line per frame of the window, for programs that measure the window (`run --log-frames`).

use std::fmt::Display;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use web_time::{Duration, Instant};

use crate::error::{Error, Result};

/// Columns: seconds since the log began, size of the drawn scene ("-" if only panes were drawn), and milliseconds of
/// CPU time for panes, scene and painting.
const HEAD: &str = "seconds,drawn,panes_ms,scene_ms,paint_ms";

pub(super) struct FrameLog {
    path: PathBuf,
    file: File,
    began: Instant,
}

impl FrameLog {
    pub fn create(path: &Path) -> Result<Self> {
        let created = File::create(path).map_err(|why| cannot(path, &why))?;
        let mut log = Self {
            path: path.to_owned(),
            file: created,
            began: Instant::now(),
        };
        log.line(HEAD)?;
        Ok(log)
    }

    pub fn note(&mut self, drawn: Option<[u32; 2]>, spent: [Duration; 3]) -> Result<()> {
        let drawn = drawn.map_or("-".to_owned(), |[width, height]| {
            format!("{width}x{height}")
        });
        let [panes, scene, paint] = spent.map(|of| of.as_secs_f64() * 1e3);
        let seconds = self.began.elapsed().as_secs_f64();
        self.line(format_args!(
            "{seconds:.3},{drawn},{panes:.2},{scene:.2},{paint:.2}"
        ))
    }

    fn line(&mut self, line: impl Display) -> Result<()> {
        writeln!(self.file, "{line}").map_err(|why| cannot(&self.path, &why))
    }
}

fn cannot(path: &Path, why: &std::io::Error) -> Error {
    Error::usage(format!(
        "--log-frames: cannot write {}: {why}",
        path.display()
    ))
}
