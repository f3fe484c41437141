//! The crossover maps of a benchmark record, as the pane "Map" shows them, and which record that is. Knows neither
//! winit nor wgpu.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::model::methods::{Cost, ListKind};
use crate::report::bench::file;
use crate::report::bench::file::RECORD;
use crate::report::bench::format::caption;
use crate::report::bench::groups::groups;
use crate::report::bench::map::{Map, Rivals, map, measured};
use crate::report::bench::record::Record;
use crate::runs::bench::files::RUN;

#[derive(Clone, Debug, PartialEq)]
pub struct Maps {
    /// The record.
    pub file: PathBuf,
    /// Adapter and conditions, in a line.
    pub caption: String,
    pub is_cpu: bool,
    /// One for each cost and kind of list, in order.
    pub maps: Vec<Map>,
}

/// What the pane "Map" holds.
#[derive(Clone, Debug, PartialEq)]
pub struct MapPage {
    /// Path of the record to open.
    pub path: String,
    pub cost: Cost,
    pub kind: ListKind,
    pub maps: Option<Maps>,
}

impl Default for MapPage {
    fn default() -> Self {
        Self {
            path: newest(Path::new(RUN.parent)).display().to_string(),
            cost: Cost::default(),
            kind: ListKind::default(),
            maps: None,
        }
    }
}

impl MapPage {
    pub fn open(&mut self, maps: Maps) {
        self.path = maps.file.display().to_string();
        self.maps = Some(maps);
    }

    /// The map of the cost and kind chosen, if the record has it.
    pub fn shown(&self) -> Option<&Map> {
        let mut maps = self.maps.iter().flat_map(|maps| &maps.maps);
        maps.find(|map| (map.cost, map.kind) == (self.cost, self.kind))
    }
}

impl Maps {
    pub fn read(path: &Path) -> Result<Self> {
        Self::of(&file::read(path)?, path)
    }

    pub fn of(record: &Record, path: &Path) -> Result<Self> {
        let rivals = Rivals::usual(record);
        let all = measured(&groups(record)).into_iter();
        let maps: Vec<Map> = all
            .map(|(cost, kind)| map(record, cost, kind, rivals))
            .collect();
        if maps.is_empty() {
            return Err(Error::usage(format!(
                "{}: no synthetic lists were timed, so there is no map; open another record",
                path.display()
            )));
        }
        Ok(Self {
            file: path.to_owned(),
            caption: caption(record),
            is_cpu: record.adapter.is_cpu,
            maps,
        })
    }
}

/// The newest record in a folder or directly below it, where `wavelerp bench` numbers its own; else one in the folder.
fn newest(folder: &Path) -> PathBuf {
    let first = folder.join(RECORD);
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let below = entries.map(|entry| entry.path().join(RECORD));
    let written = |path: &PathBuf| path.metadata().and_then(|data| data.modified()).ok();
    let all = below.chain([first.clone()]);
    let dated = all.filter_map(|path| Some((written(&path)?, path)));
    dated.max().map_or(first, |(_, path)| path)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::report::bench::fixture;

    #[test]
    fn the_newest_record_is_proposed() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("bench");
        assert_eq!(newest(&folder), folder.join(RECORD), "none is there");
        std::fs::create_dir_all(folder.join("small")).unwrap();
        let (old, new) = (folder.join(RECORD), folder.join("small").join(RECORD));
        for (path, age) in [(&old, 100), (&new, 10)] {
            let file = std::fs::File::create(path).unwrap();
            let then = std::time::SystemTime::now() - std::time::Duration::from_secs(age);
            file.set_modified(then).unwrap();
        }
        assert_eq!(newest(&folder), new);
        std::fs::remove_file(&new).unwrap();
        assert_eq!(newest(&folder), old);
    }

    #[test]
    fn a_record_has_a_map_of_every_cost_and_kind_and_an_empty_one_is_refused() {
        let path = Path::new("some/bench.json");
        let maps = Maps::of(&fixture::large_gpu(), path).unwrap();
        assert_eq!(maps.maps.len(), 2);
        let mut page = MapPage::default();
        page.open(maps);
        assert_eq!(page.path, "some/bench.json");
        assert!(page.shown().is_some_and(|map| map.cost == Cost::Cheap));
        page.kind = ListKind::Fog;
        assert!(page.shown().is_none(), "it was not measured");
        let refused = Maps::of(&fixture::with_rows(Vec::new()), path).unwrap_err();
        assert!(refused.message.contains("some/bench.json"), "{refused}");
    }
}
