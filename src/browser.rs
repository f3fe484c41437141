//! What a page does for the program, in a browser: files, downloads, local storage, the link, and the adapter's report.
//! Shapes follow `assets/web/host.js`, which has the other half. Compiled for browsers only.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use wasm_bindgen::prelude::*;

use crate::error::{Error, Result};
use crate::model::files::FileStamp;

#[wasm_bindgen(module = "/assets/web/host.js")]
extern "C" {
    /// Registers the function that receives the names of dropped and chosen files.
    pub fn on_files(take: &Closure<dyn FnMut(Vec<String>)>);
    fn file(name: &str) -> Option<Vec<u8>>;
    fn file_names() -> Vec<String>;
    /// Shows the browser's file dialog, which lists files with these extensions.
    pub fn choose_files(endings: Vec<String>);
    /// Fetches a file of the site. `None` while it is on its way, then an empty text or the reason for a failure.
    fn fetched(name: &str) -> Option<String>;
    fn download(name: &str, bytes: &[u8]);
    fn stored(key: &str) -> Option<String>;
    fn store(key: &str, text: &str) -> bool;
    /// Part of the page's address after `#`.
    pub fn fragment() -> String;
    /// The page's address without a fragment.
    pub fn address() -> String;
    pub fn prefers_light() -> bool;
    pub fn copy(text: &str);
    /// Registers the function that is told when the page is hidden (true) or visible again.
    pub fn on_hidden(hidden: &Closure<dyn FnMut(bool)>);
    /// Properties of the adapter that wgpu does not report: name, vendor, and wave sizes (0 if unknown).
    fn adapter_name() -> String;
    fn adapter_is_cpu() -> bool;
    fn adapter_waves() -> Option<Vec<u32>>;
    /// Waits until the browser has handled other events, such as callbacks of the GPU.
    pub async fn turn();
    /// Shows why the program ended, with a button to start it again.
    pub fn show_failure(why: &str);
    /// Sets a property of the page's element, by which tests follow the program.
    pub fn mark(key: &str, value: &str);
}

/// Folder of paths that are kept in local storage.
pub const STORAGE: &str = "local-storage";

fn key(path: &Path) -> Option<String> {
    let name = path.strip_prefix(STORAGE).ok()?;
    Some(name.to_string_lossy().into_owned())
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// A stored text, or a file that was dropped, chosen or fetched. The name is enough: the page has no folders.
fn read(path: &Path) -> Option<Vec<u8>> {
    match key(path) {
        Some(key) => stored(&key).map(String::into_bytes),
        None => file(&name_of(path)),
    }
}

pub fn open(path: &Path) -> std::result::Result<(Cursor<Vec<u8>>, u64), String> {
    let missing = "the page does not have this file: drop it on the page, together with the files that it names";
    let bytes = read(path).ok_or(missing)?;
    let length = bytes.len() as u64;
    Ok((Cursor::new(bytes), length))
}

pub fn within(folder: &Path) -> Vec<PathBuf> {
    file_names().iter().map(|name| folder.join(name)).collect()
}

pub fn look(path: &Path) -> Option<FileStamp> {
    Some(FileStamp {
        path: path.to_owned(),
        length: read(path)?.len() as u64,
        version: None,
        is_regular: true,
    })
}

/// Stores a text, or offers a file as a download.
pub fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let Some(key) = key(path) else {
        download(&name_of(path), bytes);
        return Ok(());
    };
    match store(&key, &String::from_utf8_lossy(bytes)) {
        true => Ok(()),
        false => Err(std::io::Error::other("the browser forbids local storage")),
    }
}

/// Fetches a file of the site unless the page has it. Returns true once the page has it.
pub fn fetch(name: &str) -> Result<bool> {
    match fetched(name) {
        None => Ok(false),
        Some(failure) if failure.is_empty() => Ok(true),
        Some(failure) => Err(Error::failed(format!("cannot fetch {name}: {failure}"))),
    }
}

/// Completes wgpu's description of the adapter.
pub fn complete(info: &mut wgpu::AdapterInfo) -> wgpu::Features {
    info.name = adapter_name();
    if adapter_is_cpu() {
        info.device_type = wgpu::DeviceType::Cpu;
    }
    match adapter_waves().as_deref() {
        Some([least, most]) => {
            (info.subgroup_min_size, info.subgroup_max_size) = (*least, *most);
            wgpu::Features::SUBGROUP
        }
        _ => wgpu::Features::empty(),
    }
}
