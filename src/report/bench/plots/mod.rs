//! Pictures of a record, 1600x1000 pixels each: the crossover map, time against layers and outputs,
//! the ratio to the best of each method, and the frame by pass.
//!
//! Reading order: this file, [`crossover`], [`lines`], [`ratios`], [`passes`]; then the means:
//! [`axis`], [`cell_text`], [`contour`], [`palette`], [`page`].

mod axis;
mod cell_text;
mod contour;
mod crossover;
mod lines;
mod page;
pub mod palette;
mod passes;
mod ratios;

use super::format::caption;
use super::groups::{Group, groups};
use super::map::{Map, Rivals, measured};
use super::record::Record;
use crate::error::{Error, Result};
use crate::report::canvas::Canvas;
use crate::report::png_file::encode_png;
use lines::Along;

/// A picture and the name of its file.
pub struct Picture {
    /// The name of its file, such as "map-cheap-particles.png".
    pub file: String,
    /// The picture.
    pub canvas: Canvas,
}

impl Picture {
    /// The bytes of its PNG file, which names the run's conditions and command.
    ///
    /// # Errors
    /// A condition of the record holds a NUL character.
    pub fn png(&self, record: &Record) -> Result<Vec<u8>> {
        let texts = [
            ("Conditions", caption(record)),
            ("command", record.command.clone()),
            ("commit", record.git.clone()),
        ];
        let texts = texts.map(|(keyword, text)| (keyword.to_owned(), text));
        encode_png(&self.canvas, &texts)
            .map_err(|error| Error::failed(format!("{}: {error}", self.file)))
    }
}

/// A picture to draw: the name of its file, and the function that draws it.
type Drawing<'a> = (
    String,
    Box<dyn Fn() -> Result<Option<Canvas>> + Send + Sync + 'a>,
);

/// Whether a file of this name may be a picture of a record.
pub fn is_picture(name: &str) -> bool {
    let of_maps = ["map-", "layers-", "outputs-"];
    let is_of_map = of_maps.iter().any(|what| name.starts_with(what)) && name.ends_with(".png");
    is_of_map || ["ratios.png", "passes.png"].contains(&name)
}

/// All pictures of a record, in the order above: three for each cost and kind of synthetic lists that
/// was measured, and two of the whole run. What the record has no rows for is left out.
///
/// # Errors
/// A picture cannot be drawn: a broken build.
pub fn pictures(record: &Record) -> Result<Vec<Picture>> {
    let groups = groups(record);
    let rivals = Rivals::usual(record);
    let maps = measured(&groups).into_iter();
    let maps: Vec<Map> = maps.map(|what| Map::of(&groups, what, rivals)).collect();
    let mut jobs: Vec<Drawing> = Vec::new();
    for map in &maps {
        jobs.extend(of_map(record, &groups, map));
    }
    jobs.push((
        "ratios.png".to_owned(),
        Box::new(|| ratios::draw(record, &groups)),
    ));
    jobs.push((
        "passes.png".to_owned(),
        Box::new(|| passes::draw(record, &groups)),
    ));
    draw_all(&jobs)
}

fn of_map<'a>(record: &'a Record, groups: &'a [Group<'a>], map: &'a Map) -> [Drawing<'a>; 3] {
    let name = |what: &str| format!("{what}-{}-{}.png", map.cost.name(), map.kind.name());
    [
        (name("map"), Box::new(|| crossover::draw(record, map))),
        (
            name("layers"),
            Box::new(|| lines::draw(record, groups, map, Along::Layers)),
        ),
        (
            name("outputs"),
            Box::new(|| lines::draw(record, groups, map, Along::Outputs)),
        ),
    ]
}

/// Draws on as many threads as there are cores. The pictures keep their order.
fn draw_all(jobs: &[Drawing<'_>]) -> Result<Vec<Picture>> {
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    let share = jobs.len().div_ceil(threads).max(1);
    let draw = |(file, draw): &Drawing| {
        let picture = draw()?.map(|canvas| Picture {
            file: file.clone(),
            canvas,
        });
        Ok(picture)
    };
    let drawn: Vec<Result<Vec<Option<Picture>>>> = std::thread::scope(|scope| {
        let share = jobs.chunks(share);
        let threads: Vec<_> = share
            .map(|jobs| scope.spawn(move || jobs.iter().map(draw).collect()))
            .collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            let broken = Error::failed("a thread that drew pictures ended early");
            thread.join().unwrap_or(Err(broken))
        };
        threads.into_iter().map(join).collect()
    });
    let drawn = drawn.into_iter().collect::<Result<Vec<_>>>()?;
    Ok(drawn.into_iter().flatten().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    #[test]
    fn every_cost_and_kind_has_its_pictures_and_all_differ() {
        let record = fixture::large_gpu();
        let pictures = pictures(&record).expect("pictures");
        let files: Vec<&str> = pictures
            .iter()
            .map(|picture| picture.file.as_str())
            .collect();
        let expected = [
            "map-cheap-particles.png",
            "layers-cheap-particles.png",
            "outputs-cheap-particles.png",
            "map-textured-mixed.png",
            "layers-textured-mixed.png",
            "outputs-textured-mixed.png",
            "ratios.png",
            "passes.png",
        ];
        assert_eq!(files, expected);
        for (i, a) in pictures.iter().enumerate() {
            assert!(pictures[..i].iter().all(|b| a.canvas != b.canvas));
            assert_eq!(a.canvas.size(), page::SIZE);
            assert!(a.png(&record).expect("a file").starts_with(b"\x89PNG"));
        }
    }

    #[test]
    fn a_record_without_rows_has_no_pictures() {
        let none = pictures(&fixture::with_rows(Vec::new())).expect("no failure");
        assert!(none.is_empty());
    }

    #[test]
    fn a_cpu_is_warned_of_in_every_picture() {
        let mut record = fixture::large_gpu();
        record
            .rows
            .retain(|row| row.work.to_string().contains(", 128 layers, cheap"));
        let alarms = |record: &Record| -> Vec<bool> {
            let alarm = |picture: &Picture| picture.canvas.pixels().contains(&page::ALARM);
            pictures(record)
                .expect("pictures")
                .iter()
                .map(alarm)
                .collect()
        };
        assert_eq!(alarms(&record), [false; 4]);
        record.adapter.is_cpu = true;
        assert_eq!(alarms(&record), [true; 4]);
    }

    #[test]
    #[ignore = "writes pictures to look at into the folder WAVELERP_PLOTS"]
    fn write_pictures_to_look_at() {
        let folder = std::env::var_os("WAVELERP_PLOTS").expect("a folder");
        let folder = std::path::PathBuf::from(folder);
        let record = fixture::large_gpu();
        for picture in pictures(&record).expect("pictures") {
            let bytes = picture.png(&record).expect("a file");
            std::fs::write(folder.join(&picture.file), bytes).expect("written");
        }
        let report = super::super::markdown::report(&record);
        std::fs::write(folder.join("bench.md"), report).expect("written");
    }
}
