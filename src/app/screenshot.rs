//! Saving what is on screen: bytes on their way back from the GPU, then a PNG with its settings, written
//! by another thread. Never waits for the GPU.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::compare::atomic_file::write_atomically;
use crate::compare::canvas::Canvas;
use crate::compare::png_file::encode_png;
use crate::error::{Error, Result};
use crate::methods::Method;
use crate::settings::Settings;

use super::background::Made;

/// Where pictures go, below the working directory; git-ignored.
pub const FOLDER: &str = "screenshots/local";

const PENDING: u8 = 0;
const MAPPED: u8 = 1;
const LOST: u8 = 2;

/// A picture on its way back from the GPU.
pub struct Grab {
    buffer: wgpu::Buffer,
    size: [u32; 2],
    row: u32,
    blue_first: bool,
    state: Arc<AtomicU8>,
}

impl Grab {
    /// Records a copy of `texture` (4 bytes a pixel). Call [`Grab::start`] after submitting.
    pub fn record(
        device: &wgpu::Device,
        encoder: &mut wgpu::CommandEncoder,
        texture: &wgpu::Texture,
    ) -> Self {
        let size = [texture.width(), texture.height()];
        let row = (size[0] * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("screenshot"),
            size: u64::from(row) * u64::from(size[1]),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(row),
            rows_per_image: None,
        };
        let target = wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout,
        };
        encoder.copy_texture_to_buffer(texture.as_image_copy(), target, texture.size());
        Self {
            buffer,
            size,
            row,
            blue_first: matches!(
                texture.format(),
                wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Bgra8UnormSrgb
            ),
            state: Arc::default(),
        }
    }

    /// Asks for the bytes once the commands are submitted.
    pub fn start(&self) {
        let state = Arc::clone(&self.state);
        self.buffer
            .map_async(wgpu::MapMode::Read, .., move |result| {
                let outcome = if result.is_ok() { MAPPED } else { LOST };
                state.store(outcome, Ordering::Release);
            });
    }

    /// The picture, once it is there.
    fn take(&self) -> Option<Result<Canvas>> {
        match self.state.load(Ordering::Acquire) {
            PENDING => None,
            MAPPED => Some(self.canvas()),
            _ => Some(Err(Error::failed(
                "the picture did not come back from the GPU",
            ))),
        }
    }

    fn canvas(&self) -> Result<Canvas> {
        let view = self
            .buffer
            .get_mapped_range(..)
            .map_err(|error| Error::failed(format!("screenshot read-back: {error}")))?;
        let width = self.size[0] as usize * 4;
        let rows = view.chunks_exact(self.row as usize);
        let mut bytes: Vec<u8> = rows.flat_map(|row| &row[..width]).copied().collect();
        for pixel in bytes.chunks_exact_mut(4) {
            if self.blue_first {
                pixel.swap(0, 2);
            }
            pixel[3] = 255;
        }
        Canvas::from_rgba8(self.size, &bytes)
            .ok_or_else(|| Error::failed("the picture read back has the wrong size"))
    }
}

/// A picture with what is to be written about it.
pub struct Shot {
    /// The picture.
    pub grab: Grab,
    /// What it shows.
    pub settings: Settings,
    /// The methods that it shows.
    pub methods: Vec<Method>,
    /// What the file name says besides the settings: a method, a view.
    pub what: String,
    /// The command that makes it again.
    pub command: String,
}

impl Shot {
    /// The work of writing it, once the picture is there.
    pub fn take(&self) -> Option<Result<impl FnOnce() -> Result<Made> + Send + 'static>> {
        let canvas = match self.grab.take()? {
            Ok(canvas) => canvas,
            Err(error) => return Some(Err(error)),
        };
        let mut texts = self.settings.metadata(&self.methods, None);
        texts.retain(|(name, _)| name != "command");
        texts.push(("view".to_owned(), self.what.clone()));
        texts.push(("command".to_owned(), self.command.clone()));
        let folder = folder_of(&self.settings.scene_name());
        let name = name_of(&self.settings, &self.what);
        Some(Ok(move || {
            let bytes =
                encode_png(&canvas, &texts).map_err(|error| Error::failed(error.to_string()))?;
            let path = save(&folder, &name, &bytes)?;
            Ok(Made::Files(format!("saved {}", path.display())))
        }))
    }
}

/// The folder of a scene's pictures, whatever the scene is called.
pub fn folder_of(scene: &str) -> PathBuf {
    let stem = scene.trim_end_matches(".ron");
    Path::new(FOLDER).join(plain(stem.rsplit(['/', '\\']).next().unwrap_or(stem)))
}

/// A file name, without its ending, that says what the picture shows.
pub fn name_of(settings: &Settings, what: &str) -> String {
    let [width, height] = settings.size;
    let camera = match &settings.moved_camera {
        Some(_) => "moved",
        None => &settings.camera,
    };
    plain(&format!(
        "{camera}_{:.2}s_{what}_{width}x{height}_{}particles_{}slices",
        settings.time, settings.particles, settings.fog_slices
    ))
}

fn plain(name: &str) -> String {
    let keep = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    name.chars()
        .map(|c| if keep(c) { c } else { '-' })
        .collect()
}

/// Writes `bytes` as `name.png`, or under the first free number behind the name: no picture replaces
/// another.
///
/// # Errors
/// The folder or the file cannot be written (exit code 2).
pub fn save(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Error::usage(format!("cannot create {}: {error}", folder.display())))?;
    let path = free_path(folder, name, ".png");
    write_atomically(&path, bytes).map_err(|error| Error::usage(error.to_string()))?;
    Ok(path)
}

/// `name` with its ending in `folder`, or the first of `name-2`, … with it that is not there.
pub fn free_path(folder: &Path, name: &str, ending: &str) -> PathBuf {
    let first = folder.join(format!("{name}{ending}"));
    let numbered = (2..10_000).map(|number| folder.join(format!("{name}-{number}{ending}")));
    std::iter::once(first.clone())
        .chain(numbered)
        .find(|path| !path.exists())
        .unwrap_or(first)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn no_picture_replaces_another() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("scene");
        let first = save(&folder, "a", b"1").unwrap();
        let second = save(&folder, "a", b"2").unwrap();
        assert_ne!(first, second);
        assert_eq!(std::fs::read(first).unwrap(), b"1");
        assert_eq!(std::fs::read(second).unwrap(), b"2");
    }

    #[test]
    fn a_scenes_path_stays_out_of_the_folders_name() {
        assert_eq!(folder_of("temple"), Path::new("screenshots/local/temple"));
        assert_eq!(
            folder_of("../else where/my scene.ron"),
            Path::new("screenshots/local/my-scene")
        );
    }
}
