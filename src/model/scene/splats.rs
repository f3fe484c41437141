//! Reads splat files and places them in a scene: in world space, set by set, with harmonics packed.

use std::sync::Arc;

use glam::{DVec3, Quat};
use half::f16;

use super::file::{Scene, SplatColors, SplatSpec};
use super::last_read::{LastRead, Placement};
use super::named::Named;
use super::named::remark;
use super::placed_meshes::turn_of;
use super::placed_splats::{PlacedSplats, Splatted};
use crate::error::{Error, Result};
use crate::model::files::{FileStamp, Folder};
use crate::model::layout::{Gaussian, SplatSet};
use crate::model::splats;
use crate::model::splats::{How, SplatFilter, Splats, vectors_of};
use crate::paths::last_part;
use crate::progress::{Listener, Progress};

/// Fraction of loading time for reading files; placing splats takes the remaining time.
const READING: f64 = 0.8;
/// Distance in metres from the scene's origin beyond which splats far from their file's origin are moved near.
const FAR: f64 = 1000.0;
/// Number of splats placed between two progress reports.
const STEP: usize = 1 << 16;

impl PlacedSplats {
    /// Adds the splats of a file, placed by `spec`. Reports progress from 0 to 1 to `told`, which may stop the work.
    fn add(
        &mut self,
        spec: &SplatSpec,
        splats: &Splats,
        told: &mut dyn FnMut(f64) -> Result<()>,
    ) -> Result<()> {
        let limited = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        // Converts from the axes of training (x right, y down, z forward) to the axes of the world.
        let upright = (turn_of(spec.rotation) * splats::UPRIGHT.as_dquat()).normalize();
        let turn = upright * splats.turn.as_dquat();
        let axis = |axis: DVec3| (turn * axis).as_vec3().to_array();
        let set = limited(self.sets.len());
        self.sets.push(SplatSet {
            axis_x: axis(DVec3::X),
            first: limited(self.gaussians.len()),
            axis_y: axis(DVec3::Y),
            vectors: limited(self.harmonics.len()),
            axis_z: axis(DVec3::Z),
            degree: u32::from(splats.degree),
            radiance: spec.radiance,
            lit: u32::from(spec.lit),
            encoded: u32::from(spec.colors == SplatColors::Srgb && !splats.is_linear),
            mip: u32::from(splats.filter == SplatFilter::Mip),
        });
        let origin = DVec3::from_array(spec.position.map(f64::from));
        let scale = f64::from(spec.scale);
        let local = turn * (scale * splats.origin);
        let mut origin = origin + local;
        if splats.origin != DVec3::ZERO && origin.length() > FAR {
            if self.far == DVec3::ZERO {
                self.far = local;
            }
            origin -= self.far;
        }
        self.numbers.push(splats.numbers.clone());
        self.axes.push(splats.axes);
        self.is_linear |= splats.is_linear;
        let is_first = set == 0;
        self.has_meshes |= is_first && splats.has_meshes && splats.origin == DVec3::ZERO;
        let is_other = !is_first && splats.by_distance != self.by_distance;
        let of_all = "it requests another sort order than the files before it: all are sorted by depth, \
            unless --splat-order is given";
        self.by_distance = splats.by_distance && (is_first || self.by_distance);
        let lines = (splats.remarks.iter().map(String::as_str)).chain(is_other.then_some(of_all));
        remark(&mut self.remarks, &spec.file, lines);
        self.gaussians.reserve_exact(splats.len());
        let steps = 2.0 * splats.len() as f64;
        for index in 0..splats.len() {
            if index % STEP == 0 {
                told(index as f64 / steps)?;
            }
            let position = origin + turn * (scale * splats.positions[index].as_dvec3());
            let rotation: Quat = (turn * splats.rotations[index].as_dquat())
                .normalize()
                .as_quat();
            self.gaussians.push(Gaussian {
                position: position.as_vec3().to_array(),
                opacity: spec.opacity * splats.opacities[index],
                rotation: rotation.to_array(),
                scales: (spec.scale * splats.scales[index]).to_array(),
                of_set: set,
            });
        }
        let (each, vectors) = (splats.coefficients(), vectors_of(splats.degree));
        self.harmonics.reserve_exact(vectors * splats.len());
        let mut halves = vec![[f16::ZERO; 8]; vectors];
        for (index, coefficients) in splats.harmonics.chunks_exact(each).enumerate() {
            if index % STEP == 0 {
                told(0.5 + index as f64 / steps)?;
            }
            let channels = coefficients.iter().flat_map(|channels| channels.to_array());
            for (half, channel) in halves.as_flattened_mut().iter_mut().zip(channels) {
                *half = f16::from_f32(channel.clamp(f16::MIN.to_f32(), f16::MAX.to_f32()));
            }
            let word =
                |low: f16, high: f16| u32::from(low.to_bits()) | u32::from(high.to_bits()) << 16;
            let words = |of: &[f16; 8]| std::array::from_fn(|i| word(of[2 * i], of[2 * i + 1]));
            self.harmonics.extend(halves.iter().map(words));
        }
        Ok(())
    }
}

static LAST: LastRead<SplatSpec, PlacedSplats> = LastRead::new();

impl Scene {
    /// Reads the splat files. A file that another scene still holds in the same placement is shared. Errors include the
    /// file's index in [`Scene::splats`].
    pub fn load_splats(&mut self, files: Named, progress: Listener) -> Result<(), (usize, Error)> {
        if self.splats.is_empty() {
            self.placed_splats = Arc::default();
            return Ok(());
        }
        let seen: Vec<_> = self.splats.iter().map(|of| files.look(&of.file)).collect();
        let length =
            |seen: &Option<FileStamp>| seen.as_ref().map_or(0.0, |seen| seen.length as f64);
        let lengths: Vec<f64> = seen.iter().map(length).collect();
        let placement = Placement::of(&self.splats, seen.into_iter());
        if let Some(packed) = LAST.get(placement.as_ref()) {
            self.placed_splats = packed;
            return Ok(());
        }
        let mut packed = PlacedSplats::default();
        let all = lengths.iter().sum::<f64>().max(1.0);
        let mut before = 0.0;
        for (index, (spec, length)) in self.splats.iter().zip(lengths).enumerate() {
            let mut at = |what: &str, part: f64| {
                let next = format!("{what} {}", last_part(&spec.file));
                let done = (before + part * length) / all;
                progress(Progress {
                    next,
                    done,
                    left: None,
                })
            };
            let mut read = || {
                let path = files.path_of(&spec.file);
                let name = path.display().to_string();
                let file = files.open(&spec.file);
                let file = file.map_err(|why| Error::usage(format!("{name}: {why}")))?;
                let how = How {
                    axes: spec.axes,
                    filter: spec.filter,
                    keep_every: spec.keep_every,
                    largest: files.files().largest(),
                    folder: Some(Folder::of(&path, files.files())),
                };
                let mut told = |of: Progress| at("reading", READING * of.done);
                let splats = splats::read(file, &name, how, &mut told)?;
                let rest = 1.0 - READING;
                packed.add(spec, &splats, &mut |of| at("placing", READING + rest * of))
            };
            read().map_err(|error| (index, error))?;
            before += length;
        }
        let packed = Arc::new(packed);
        LAST.keep(placement, &packed);
        self.placed_splats = packed;
        Ok(())
    }

    /// Places splats that are in memory, one set per file of [`Scene::splats`].
    pub fn place_splats(&mut self, sets: &[Splats]) {
        let mut packed = PlacedSplats::default();
        for (spec, splats) in self.splats.iter().zip(sets) {
            // Without a listener, nothing can stop the work.
            let _ = packed.add(spec, splats, &mut |_| Ok(()));
        }
        self.placed_splats = Arc::new(packed);
    }

    /// The splat with the given number over all files; `None` if there are fewer splats.
    pub fn splatted(&self, number: u32) -> Option<Splatted> {
        let gaussian = self.placed_splats.gaussians.get(number as usize)?;
        let set = gaussian.of_set as usize;
        let index = number.checked_sub(self.placed_splats.sets.get(set)?.first)?;
        let index = self.placed_splats.numbers.get(set)?.in_file(index);
        Some(Splatted {
            file: self.splats.get(set)?.file.clone(),
            index,
            position: gaussian.position,
            scales: gaussian.scales,
            opacity: gaussian.opacity,
        })
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/splats/inria-1.ply");

    fn spec() -> SplatSpec {
        SplatSpec {
            position: [1.0, 2.0, 3.0],
            scale: 2.0,
            opacity: 0.5,
            ..SplatSpec::new(FILE, SplatColors::Srgb)
        }
    }

    /// A splat at (1, 2, 4) whose longest axis is the file's z.
    fn one() -> Splats {
        Splats {
            positions: vec![Vec3::new(1.0, 2.0, 4.0)],
            rotations: vec![Quat::IDENTITY],
            scales: vec![Vec3::new(0.1, 0.2, 0.3)],
            opacities: vec![0.5],
            harmonics: vec![Vec3::new(1.0, -0.5, 1e9)],
            ..Splats::default()
        }
    }

    #[test]
    fn a_file_without_a_turn_stands_upright_and_turns_follow_about_x_y_and_z() {
        let placed = |rotation| {
            let mut scene = Scene {
                splats: vec![SplatSpec { rotation, ..spec() }],
                ..Scene::default()
            };
            scene.place_splats(&[one()]);
            let gaussian = scene.placed_splats.gaussians[0];
            let axis = Quat::from_array(gaussian.rotation) * Vec3::Z;
            (
                Vec3::from_array(gaussian.position) - Vec3::new(1.0, 2.0, 3.0),
                axis,
            )
        };
        let near = |(place, axis): (Vec3, Vec3), expected: [f32; 3], along: [f32; 3]| {
            let [expected, along] = [expected, along].map(Vec3::from_array);
            assert!(place.distance(expected) < 1e-5, "{place} for {expected}");
            assert!(axis.distance(along) < 1e-6, "{axis} for {along}");
        };
        near(placed([0.0; 3]), [2.0, -4.0, -8.0], [0.0, 0.0, -1.0]);
        near(placed([90.0, 0.0, 0.0]), [2.0, 8.0, -4.0], [0.0, 1.0, 0.0]);
        // Rotation about x comes first: (2, 8, -4); about y: (-4, 8, -2); z comes last.
        near(
            placed([90.0, 90.0, 90.0]),
            [-8.0, -4.0, -2.0],
            [-1.0, 0.0, 0.0],
        );
    }

    #[test]
    fn scales_and_opacities_are_multiplied_and_harmonics_fit_half_floats() {
        let mut scene = Scene {
            splats: vec![spec(), spec()],
            ..Scene::default()
        };
        let mut second = one();
        second.degree = 1;
        second.harmonics = (0..4).map(|i| Vec3::splat(i as f32)).collect();
        scene.place_splats(&[one(), second]);
        let placed = &scene.placed_splats;
        assert_eq!(placed.gaussians[1].scales, [0.2, 0.4, 0.6]);
        assert_eq!(placed.gaussians[1].opacity, 0.25);
        assert_eq!((placed.sets[1].first, placed.sets[1].vectors), (1, 1));
        let half = |value: f32| u32::from(f16::from_f32(value).to_bits());
        // Infinity would not be a colour.
        let words = [half(1.0) | half(-0.5) << 16, half(65504.0), 0, 0];
        assert_eq!(placed.harmonics[0], words);
        let few = placed.every(4);
        assert_eq!(few.gaussians[1].scales, [0.4, 0.8, 1.2], "twice as large");
        assert_eq!(few.count(), 2, "the first of each file");
    }

    #[test]
    fn files_far_away_are_moved_to_the_origin_together_and_those_that_were_placed_near_stay() {
        let far = |x: f64| Splats {
            origin: DVec3::new(500_000.0 + x, -300.0, 5_400_000.0),
            ..one()
        };
        let places = |position, sets: &[Splats]| {
            let spec = SplatSpec {
                position,
                scale: 1.0,
                ..spec()
            };
            let mut scene = Scene {
                splats: vec![spec; sets.len()],
                ..Scene::default()
            };
            scene.place_splats(sets);
            let all = scene.placed_splats.gaussians.iter();
            all.map(|of| of.position).collect::<Vec<_>>()
        };
        // Each file is placed as if it were near the origin; the distance between the files is kept.
        let near = places([0.0, 1.0, 0.0], &[one()])[0];
        let [x, y, z] = near;
        let both = places([0.0, 1.0, 0.0], &[far(0.0), far(10.25), one()]);
        assert_eq!(both, [near, [x + 10.25, y, z], near]);
        // Here the test itself moves the splats near.
        let files = [Splats {
            origin: DVec3::new(50_000.0, 0.0, 0.0),
            ..one()
        }];
        assert_eq!(places([-49_990.0, 1.0, 0.0], &files), [[x + 10.0, y, z]]);
    }
}
