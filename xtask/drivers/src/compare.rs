//! The pictures of drivers, compared: linear floats, as each method composited them. Reads the folders that `run`
//! wrote, and writes nothing.
//!
//! Drivers do not draw the same bits, and Vulkan does not ask them to: docs/methods.md, "Other drivers", says what it
//! leaves to them. Methods that round to half floats are left out: how a blend rounds is the driver's own affair,
//! and `verify` holds its bound for it.

use std::path::Path;

use wavelerp::error::{Error, Result};
use wavelerp::model::methods::Method;
use wavelerp::report::Picture;
use wavelerp::report::exr_file::decode_exr;
use wavelerp::report::table::plain;

use crate::run::pictures;

/// So many of a picture's pixels may be other ones, between two software drivers: those on edges of triangles and of
/// shadows.
const SHARE: f64 = 0.005;
/// So many of them may be other ones between a GPU and a software driver: a GPU places the corners of triangles on
/// another grid, and in so small a picture a column of shadow or a thin bar is a good part of it.
const SHARE_OF_A_GPU: f64 = 0.03;
/// The root of the mean square of such a difference over the pixels that are the same.
const REST: f64 = 0.02;

/// How far a driver's pictures of a scene are from those of another driver: the worst over all methods.
#[derive(Debug, Default, PartialEq)]
struct Distance {
    methods: usize,
    others: usize,
    share: f64,
    rest: f64,
    not_finite: u64,
}

/// Compares the pictures of all drivers with those of the first that drew the scene. Gives the table, and whether the
/// bound holds.
pub fn all(folder: &Path, names: &[String]) -> Result<(String, Result<()>)> {
    let mut rows = Vec::new();
    let mut broken = Vec::new();
    let mut compared = 0;
    for (scene, _) in pictures() {
        let drew = |name: &&String| folder.join(name).join(scene).join("report.json").exists();
        let mut drivers = names.iter().filter(drew);
        let Some(reference) = drivers.next() else {
            continue;
        };
        for name in drivers {
            let at = |driver: &String| folder.join(driver).join(scene);
            let distance = between(&at(reference), &at(name))?;
            compared += distance.methods;
            let software = [reference, name].map(|driver| is_software(&folder.join(driver)));
            let most = match software {
                [true, true] => SHARE,
                _ => SHARE_OF_A_GPU,
            };
            let holds = distance.holds(most);
            if !holds {
                broken.push(format!("{scene} on {name}"));
            }
            rows.push(vec![
                name.clone(),
                reference.clone(),
                scene.to_owned(),
                distance.methods.to_string(),
                distance.others.to_string(),
                format!("{:.2}%", distance.share * 100.0),
                format!("{:.2e}", distance.rest),
                if holds { "holds" } else { "BROKEN" }.to_owned(),
            ]);
        }
    }
    if compared == 0 {
        return Err(Error::failed(
            "no two drivers drew the same scene: there is nothing to compare",
        ));
    }
    let result = if broken.is_empty() {
        Ok(())
    } else {
        Err(Error::failed(format!(
            "the bound does not hold for {} (of the pixels {} % may be others, {} % where one driver is a GPU's; the rms \
             difference of the rest may be {REST}, and all must be finite); the pictures are in {}",
            broken.join(", "),
            SHARE * 100.0,
            SHARE_OF_A_GPU * 100.0,
            folder.display()
        )))
    };
    let names = ["driver", "against", "scene"];
    let numbers = ["methods", "pixels", "share", "rms", "bound"];
    let title = "Pixels that are others than in the picture of another driver, and the rms difference of the rest";
    Ok((
        format!("{title}\n{}", plain(&names, &numbers, rows)),
        result,
    ))
}

impl Distance {
    /// Whether it is within the bound, where this share of the pixels may be others.
    fn holds(&self, most: f64) -> bool {
        self.methods > 0 && self.not_finite == 0 && self.share <= most && self.rest <= REST
    }
}

/// Whether a driver is one of software, by what `wavelerp list` says of it. Not said, it is: that bound is stricter.
fn is_software(driver: &Path) -> bool {
    let list = std::fs::read_to_string(driver.join("list.txt")).unwrap_or_default();
    let mut lines = list.lines().map(str::trim);
    let adapter = lines.find_map(|line| line.strip_prefix("vulkan "));
    adapter.is_none_or(|adapter| adapter.starts_with("cpu"))
}

/// The worst distance of two folders' pictures over the methods that both have.
fn between(reference: &Path, other: &Path) -> Result<Distance> {
    let mut worst = Distance::default();
    for method in Method::all().filter(|method| !method.rounds_to_half()) {
        let files = [reference, other].map(|folder| folder.join(format!("{method}.exr")));
        if !files.iter().all(|file| file.exists()) {
            continue;
        }
        let [reference, other] = [picture(&files[0])?, picture(&files[1])?];
        let by = wavelerp::runs::compare::Distance::between(&reference, &other)
            .map_err(|error| error.context(files[1].display().to_string()))?;
        worst.methods += 1;
        worst.others = worst.others.max(by.others);
        worst.share = worst.share.max(by.share);
        worst.rest = worst.rest.max(by.rest);
        worst.not_finite = worst.not_finite.max(by.metrics.nan_count);
    }
    Ok(worst)
}

/// A composite as `wavelerp capture --format exr` writes it.
fn picture(file: &Path) -> Result<Picture> {
    let failed =
        |error: &dyn std::fmt::Display| Error::failed(format!("{}: {error}", file.display()));
    let bytes = std::fs::read(file).map_err(|error| failed(&error))?;
    decode_exr(&bytes).map_err(|error| failed(&error))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use wavelerp::report::exr_file::encode_exr;

    /// What two drivers drew of a scene, 20 by 10 pixels of one method.
    fn folder(name: &str, scene: &str, second: &[[f32; 4]]) -> std::path::PathBuf {
        let root = std::env::temp_dir().join(format!("drivers-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        let first = vec![[0.25_f32; 4]; 200];
        for (driver, pixels) in [("first", first.as_slice()), ("second", second)] {
            let place = root.join(driver).join(scene);
            std::fs::create_dir_all(&place).unwrap();
            let picture = Picture::new([20, 10], pixels.to_vec()).unwrap();
            let method = Method::all().next().unwrap();
            let bytes = encode_exr(&picture, "").unwrap();
            std::fs::write(place.join(format!("{method}.exr")), bytes).unwrap();
            std::fs::write(place.join("report.json"), "{}").unwrap();
        }
        root
    }

    /// The words of the table, and whether the bound holds, where these pixels differ.
    fn compared(name: &str, changed: &[(usize, f32)]) -> (String, bool) {
        compared_with(name, changed, "vulkan cpu, driver A")
    }

    /// As [`compared`], where `wavelerp list` says this of the second driver.
    fn compared_with(name: &str, changed: &[(usize, f32)], list: &str) -> (String, bool) {
        let mut pixels = vec![[0.25_f32; 4]; 200];
        for (at, by) in changed {
            pixels[*at][2] += by;
        }
        let root = folder(name, pictures()[0].0, &pixels);
        let list = format!("Adapters\n  0  B\n     {list}\n");
        std::fs::write(root.join("second/list.txt"), list).unwrap();
        let names = ["first", "second"].map(str::to_owned);
        let (text, result) = all(&root, &names).unwrap();
        std::fs::remove_dir_all(&root).unwrap();
        let words: Vec<&str> = text.split_whitespace().collect();
        (words.join(" "), result.is_ok())
    }

    #[test]
    fn few_pixels_may_be_others_and_all_may_differ_a_little() {
        let (text, holds) = compared("few", &[(7, 0.5)]);
        assert!(holds && text.contains(" 1 0.50%"), "{text}");
        let all = |by| (0..200).map(|at| (at, by)).collect::<Vec<_>>();
        let (text, holds) = compared("little", &all(0.015));
        assert!(holds && text.contains(" 0 0.00% 1.50e-2"), "{text}");
        assert!(!compared("more", &all(0.03)).1);
    }

    #[test]
    fn too_many_pixels_or_one_that_is_not_finite_break_the_bound() {
        let (text, holds) = compared("many", &[(1, 0.5), (2, -0.5)]);
        assert!(!holds && text.contains("BROKEN"), "{text}");
        assert!(!compared("not-finite", &[(1, f32::NAN)]).1);
    }

    #[test]
    fn between_a_gpu_and_software_more_pixels_may_be_others() {
        let others = |count: usize| (0..count).map(|at| (at, 0.5)).collect::<Vec<_>>();
        let holds =
            |name, count| compared_with(name, &others(count), "vulkan discrete, driver B").1;
        assert!(holds("gpu", 6) && !holds("gpu-many", 7));
        assert!(!compared("software", &others(6)).1);
    }

    #[test]
    fn where_nothing_can_be_compared_that_is_a_failure() {
        let root = folder("nothing", "no-such-scene", &[[0.25; 4]; 200]);
        let names = ["first", "second"].map(str::to_owned);
        assert!(all(&root, &names).is_err());
        std::fs::remove_dir_all(&root).unwrap();
    }
}
