//! What a scene's values may be. Every struct is taken apart field by field, so that a field without
//! a check does not compile.

use super::camera::Viewpoint;
use super::file::{
    Amount, Bloom, CameraPreset, EmitterSpec, Fog, MeshSpec, Noise, PointLight, Scene, SheetSpec,
    Sky, SplatSpec, Sun, Surface,
};
use super::{MOST_SHEETS, MOST_SLICES, mesh, parse};
use crate::error::{Error, Result};
use crate::model::meshes::MOST_TRIANGLES;
use glam::{DVec3, Vec3};
use std::collections::HashSet;

/// The most point lights: every froxel and splat sees all of them.
const MOST_LIGHTS: usize = 64;

/// The most cells along a sheet's edge.
const MOST_CELLS: u32 = 64;

/// The most grooves of a column.
const MOST_FLUTES: u32 = 64;

const MOST_SPLAT_FILES: usize = 256;

/// The longest name, in characters.
pub(super) const LONGEST_NAME: usize = 80;
/// The longest sentence about a scene, in characters.
const LONGEST_SENTENCE: usize = 400;

/// An interval and its unit. With `above` the lower end itself is not allowed.
#[derive(Clone, Copy)]
struct Range {
    low: f32,
    high: f32,
    above: bool,
    unit: &'static str,
}

const fn from(low: f32, high: f32, unit: &'static str) -> Range {
    Range {
        low,
        high,
        above: false,
        unit,
    }
}

const fn above(low: f32, high: f32, unit: &'static str) -> Range {
    Range {
        above: true,
        ..from(low, high, unit)
    }
}

impl Range {
    /// Accepts a value that lies in the interval.
    ///
    /// # Errors
    /// A description of what is allowed, if `value` is not.
    fn admit(self, value: f32) -> std::result::Result<(), String> {
        let Range {
            low,
            high,
            above,
            unit,
        } = self;
        let high_enough = if above { value > low } else { value >= low };
        if high_enough && value <= high {
            return Ok(());
        }
        Err(if above {
            format!("above {low} and at most {high}{unit}")
        } else {
            format!("from {low} to {high}{unit}")
        })
    }
}

const PLACE: Range = from(-1e5, 1e5, " m");
const SIZE: Range = above(0.0, 1e4, " m");
const LENGTH: Range = from(0.0, 1e4, " m");
const EDGE: Range = from(-1e4, 1e4, " m");
const VELOCITY: Range = from(-1e3, 1e3, " m/s");
const ACCELERATION: Range = from(-1e3, 1e3, " m/s²");
const RADIANCE: Range = from(0.0, 1e6, "");
const PART: Range = from(0.0, 1.0, "");

/// Finds the first value out of its range.
///
/// # Errors
/// Usage, with file, line, field, value and range.
pub(super) fn check(file: &str, text: &str, scene: &Scene) -> Result<()> {
    let Scene {
        name,
        shows,
        best_time,
        particles: _,
        fog_slices,
        exposure,
        near,
        far,
        cameras,
        sun,
        ambient,
        ground,
        tone_curve: _,
        antialias: _,
        bloom,
        surface,
        sky,
        fog,
        lights,
        emitters,
        sheets,
        meshes,
        splats,
        splat_dilation,
        placed_splats: _,
        placed_meshes: _,
    } = scene;
    let check = Check { file, text };
    check.text("name", name, LONGEST_NAME)?;
    check.text("shows", shows, LONGEST_SENTENCE)?;
    check.number("best_time", *best_time, from(0.0, 1e5, " s"))?;
    if *fog_slices > MOST_SLICES {
        let range = format!("from 0 to {MOST_SLICES}");
        return Err(check.wrong("fog_slices", fog_slices, &range));
    }
    check.number("exposure", *exposure, above(0.0, 1e6, ""))?;
    check.number("near", *near, from(1e-3, 1e4, " m"))?;
    let beyond_near = from(1.01 * near, 1e5, " m (from 1.01 times `near`)");
    check.number("far", *far, beyond_near)?;
    check.cameras(cameras)?;
    check.sun(sun)?;
    check.triple("ambient", ambient, RADIANCE)?;
    check.triple("ground", &ground.unwrap_or_default(), RADIANCE)?;
    check.bloom(bloom)?;
    check.surface(surface)?;
    check.sky(sky)?;
    check.fog(fog)?;
    if lights.len() > MOST_LIGHTS {
        let range = format!("at most {MOST_LIGHTS} lights");
        return Err(check.wrong("lights", format!("{} lights", lights.len()), &range));
    }
    each("lights", lights, |path, light| check.light(path, light))?;
    each("emitters", emitters, |path, spec| check.emitter(path, spec))?;
    if sheets.len() > MOST_SHEETS {
        let range = format!("at most {MOST_SHEETS} sheets");
        return Err(check.wrong("sheets", format!("{} sheets", sheets.len()), &range));
    }
    each("sheets", sheets, |path, sheet| check.sheet(path, sheet))?;
    each("meshes", meshes, |path, mesh| check.mesh(path, mesh))?;
    let triangles: u64 = meshes.iter().map(mesh::triangles).sum();
    if triangles > MOST_TRIANGLES as u64 {
        let range = format!("at most {MOST_TRIANGLES} triangles: fewer solids, segments or flutes");
        return Err(check.wrong("meshes", format!("{triangles} triangles"), &range));
    }
    check.splat_files(splats)?;
    check.number("splat_dilation", *splat_dilation, from(0.0, 100.0, " px²"))
}

/// Finds the first value out of its range in a list of splat files outside any scene file; `whose` is what
/// messages call it.
///
/// # Errors
/// Usage, with field, value and range.
pub(crate) fn check_splats(whose: &str, splats: &[SplatSpec]) -> Result<()> {
    let (file, text) = (whose, "");
    Check { file, text }.splat_files(splats)
}

/// The error of reading the file of `list[index]`, which says where the scene names it.
pub(super) fn unread(file: &str, text: &str, (list, index): (&str, usize), error: Error) -> Error {
    let line = parse::line_of(text, &format!("{list}[{index}].file"));
    let line = line.map_or(String::new(), |line| format!(":{line}"));
    error.context(format!("{file}{line}: {list}[{index}].file"))
}

/// What is wrong with a camera.
pub(crate) struct CameraFault {
    /// `eye`, `target` or `fov_y`.
    pub(crate) field: &'static str,
    /// The coordinate, as in `[1]`; empty if it is about the whole field.
    pub(crate) element: String,
    /// The field's or the coordinate's value.
    pub(crate) value: String,
    /// What it must be.
    pub(crate) allowed: String,
    /// Whether eye and target are the same place, so that neither is wrong by itself.
    pub(crate) is_about_both: bool,
}

/// The first value of a viewpoint that is out of its range.
pub(crate) fn camera_fault(camera: &Viewpoint) -> Option<CameraFault> {
    let Viewpoint { eye, target, fov_y } = camera;
    let [eye, target] = [eye, target].map(Vec3::to_array);
    for (field, place) in [("eye", eye), ("target", target)] {
        for (axis, value) in place.into_iter().enumerate() {
            if let Err(allowed) = PLACE.admit(value) {
                return Some(CameraFault {
                    field,
                    element: format!("[{axis}]"),
                    value: value.to_string(),
                    allowed,
                    is_about_both: false,
                });
            }
        }
    }
    let fault = |field, value, allowed| CameraFault {
        field,
        element: String::new(),
        value,
        allowed,
        is_about_both: field == "target",
    };
    if let Err(allowed) = from(1.0, 170.0, "°").admit(*fov_y) {
        return Some(fault("fov_y", fov_y.to_string(), allowed));
    }
    let near = eye.iter().zip(target).all(|(a, b)| (a - b).abs() < 1e-3);
    near.then(|| {
        let [x, y, z] = target;
        let value = format!("{x},{y},{z}, the same as `eye`");
        fault("target", value, "1 mm or more away from it".to_owned())
    })
}

fn each<T>(list: &str, items: &[T], check: impl Fn(&str, &T) -> Result<()>) -> Result<()> {
    let mut numbered = items.iter().enumerate();
    numbered.try_for_each(|(index, item)| check(&format!("{list}[{index}]"), item))
}

struct Check<'a> {
    file: &'a str,
    /// The file's text, to find a field's line in.
    text: &'a str,
}

impl Check<'_> {
    fn wrong(&self, path: &str, value: impl std::fmt::Display, range: &str) -> Error {
        let file = self.file;
        let line = parse::line_of(self.text, path).map_or(String::new(), |line| format!(":{line}"));
        Error::usage(format!(
            "{file}{line}: {path} is {value}; it must be {range}"
        ))
    }

    fn number(&self, path: &str, value: f32, range: Range) -> Result<()> {
        range
            .admit(value)
            .map_err(|allowed| self.wrong(path, value, &allowed))
    }

    fn triple(&self, path: &str, values: &[f32; 3], range: Range) -> Result<()> {
        each(path, values, |path, value| self.number(path, *value, range))
    }

    /// Names and sentences stand in reports, file names and metadata of pictures.
    fn text(&self, path: &str, text: &str, longest: usize) -> Result<()> {
        if text.trim().is_empty() {
            return Err(self.wrong(path, "empty", "a text"));
        }
        let count = text.chars().count();
        if count > longest {
            let range = format!("at most {longest} characters long");
            return Err(self.wrong(path, format!("{count} characters long"), &range));
        }
        if text.contains(char::is_control) {
            let value = format!("`{text}`");
            return Err(self.wrong(path, value, "without control characters"));
        }
        Ok(())
    }

    fn splat_files(&self, splats: &[SplatSpec]) -> Result<()> {
        if splats.len() > MOST_SPLAT_FILES {
            let range = format!("at most {MOST_SPLAT_FILES} files");
            return Err(self.wrong("splats", format!("{} files", splats.len()), &range));
        }
        each("splats", splats, |path, spec| self.splats(path, spec))
    }

    fn cameras(&self, cameras: &[CameraPreset]) -> Result<()> {
        if cameras.is_empty() {
            return Err(self.wrong("cameras", "empty", "a list of at least one camera"));
        }
        each("cameras", cameras, |path, camera| self.camera(path, camera))?;
        let mut names = HashSet::new();
        for (index, camera) in cameras.iter().enumerate() {
            if !names.insert(&camera.name) {
                let path = format!("cameras[{index}].name");
                let value = format!("`{}`, the name of an earlier camera", camera.name);
                return Err(self.wrong(&path, value, "unique in the scene"));
            }
        }
        Ok(())
    }

    fn camera(&self, path: &str, camera: &CameraPreset) -> Result<()> {
        self.text(&format!("{path}.name"), &camera.name, LONGEST_NAME)?;
        match camera_fault(&camera.viewpoint()) {
            None => Ok(()),
            Some(fault) => {
                let path = format!("{path}.{}{}", fault.field, fault.element);
                Err(self.wrong(&path, fault.value, &fault.allowed))
            }
        }
    }

    fn sun(&self, sun: &Sun) -> Result<()> {
        let Sun {
            direction_to_sun,
            irradiance,
            radius,
            shadows: _,
        } = sun;
        let path = "sun.direction_to_sun";
        self.triple(path, direction_to_sun, from(-1e3, 1e3, ""))?;
        if direction_to_sun.iter().all(|c| c.abs() < 1e-3) {
            let value = format!("{direction_to_sun:?}");
            return Err(self.wrong(path, value, "a vector that is not zero"));
        }
        self.triple("sun.irradiance", irradiance, RADIANCE)?;
        self.number("sun.radius", *radius, from(0.0, 10.0, "°"))
    }

    fn bloom(&self, bloom: &Bloom) -> Result<()> {
        let Bloom {
            strength,
            threshold,
        } = bloom;
        self.number("bloom.strength", *strength, PART)?;
        self.number("bloom.threshold", *threshold, RADIANCE)
    }

    fn surface(&self, surface: &Surface) -> Result<()> {
        let Surface {
            stains,
            bump,
            courses,
            occlusion,
        } = surface;
        self.number("surface.stains", *stains, PART)?;
        self.number("surface.bump", *bump, PART)?;
        self.number("surface.courses", *courses, LENGTH)?;
        self.number("surface.occlusion", *occlusion, PART)
    }

    fn sky(&self, sky: &Sky) -> Result<()> {
        let Sky { zenith, horizon } = sky;
        self.triple("sky.zenith", zenith, RADIANCE)?;
        self.triple("sky.horizon", horizon, RADIANCE)
    }

    fn fog(&self, fog: &Fog) -> Result<()> {
        let Fog {
            extinction,
            albedo,
            anisotropy,
            height,
            falloff,
            noise,
        } = fog;
        let Noise {
            strength,
            scale,
            drift,
        } = noise;
        self.number("fog.extinction", *extinction, from(0.0, 1e3, " 1/m"))?;
        self.triple("fog.albedo", albedo, PART)?;
        self.number("fog.anisotropy", *anisotropy, from(-0.95, 0.95, ""))?;
        self.number("fog.height", *height, PLACE)?;
        self.number("fog.falloff", *falloff, from(0.0, 1e3, " 1/m"))?;
        self.number("fog.noise.strength", *strength, PART)?;
        self.number("fog.noise.scale", *scale, above(0.0, 1e2, " 1/m"))?;
        self.triple("fog.noise.drift", drift, VELOCITY)
    }

    fn light(&self, path: &str, light: &PointLight) -> Result<()> {
        let PointLight {
            position,
            radius,
            intensity,
            flicker,
            glow,
        } = light;
        self.triple(&format!("{path}.position"), position, PLACE)?;
        self.number(&format!("{path}.radius"), *radius, from(1e-3, 1e4, " m"))?;
        self.triple(&format!("{path}.intensity"), intensity, RADIANCE)?;
        self.number(&format!("{path}.flicker"), *flicker, PART)?;
        self.number(&format!("{path}.glow"), *glow, PART)
    }

    fn emitter(&self, path: &str, emitter: &EmitterSpec) -> Result<()> {
        let EmitterSpec {
            amount,
            origin,
            extent,
            lifetime,
            velocity,
            acceleration,
            spread,
            turbulence,
            albedo_start,
            albedo_end,
            emission,
            opacity,
            softness,
            fade,
            radius_start,
            radius_end,
            radius_variation,
            shape: _,
            spin,
            erosion,
            self_shadow,
            soften,
            stretch,
        } = emitter;
        let number =
            |field: &str, value: f32, range| self.number(&format!("{path}.{field}"), value, range);
        let triple = |field: &str, values: &[f32; 3], range| {
            self.triple(&format!("{path}.{field}"), values, range)
        };
        if let Amount::Share(share) = *amount {
            number("amount", share, above(0.0, 1e6, ""))?;
        }
        triple("origin", origin, PLACE)?;
        triple("extent", extent, LENGTH)?;
        self.lifetime(&format!("{path}.lifetime"), *lifetime)?;
        triple("velocity", velocity, VELOCITY)?;
        triple("acceleration", acceleration, ACCELERATION)?;
        number("spread", *spread, from(0.0, 1e3, " m/s"))?;
        number("turbulence", *turbulence, LENGTH)?;
        triple("albedo_start", albedo_start, PART)?;
        triple("albedo_end", &albedo_end.unwrap_or_default(), PART)?;
        triple("emission", emission, RADIANCE)?;
        number("opacity", *opacity, PART)?;
        number("softness", *softness, PART)?;
        number("fade", *fade, from(0.0, 0.5, ""))?;
        number("radius_start", *radius_start, SIZE)?;
        number("radius_end", radius_end.unwrap_or(*radius_start), SIZE)?;
        number("radius_variation", *radius_variation, PART)?;
        number("spin", *spin, from(0.0, 100.0, " turns/s"))?;
        number("erosion", *erosion, PART)?;
        number("self_shadow", *self_shadow, from(0.0, 100.0, ""))?;
        number("soften", *soften, LENGTH)?;
        number("stretch", *stretch, from(0.0, 100.0, " s"))
    }

    /// A lifetime near 0 would make the number of lives so far infinite.
    fn lifetime(&self, path: &str, lifetime: f32) -> Result<()> {
        if lifetime == 0.0 || (1e-3..=1e6).contains(&lifetime) {
            return Ok(());
        }
        Err(self.wrong(
            path,
            lifetime,
            "0 (particles stand still) or from 0.001 to 1000000 s",
        ))
    }

    fn sheet(&self, path: &str, sheet: &SheetSpec) -> Result<()> {
        let SheetSpec {
            center,
            half_u,
            half_v,
            cells,
            albedo,
            emission,
            opacity,
            transmission,
            fade,
            rim,
            rim_opacity,
        } = sheet;
        let number =
            |field: &str, value: f32, range| self.number(&format!("{path}.{field}"), value, range);
        let triple = |field: &str, values: &[f32; 3], range| {
            self.triple(&format!("{path}.{field}"), values, range)
        };
        triple("center", center, PLACE)?;
        triple("half_u", half_u, EDGE)?;
        triple("half_v", half_v, EDGE)?;
        self.spans(path, half_u, half_v)?;
        each(&format!("{path}.cells"), cells, |path, count| {
            if (1..=MOST_CELLS).contains(count) {
                return Ok(());
            }
            Err(self.wrong(path, count, &format!("from 1 to {MOST_CELLS}")))
        })?;
        triple("albedo", albedo, PART)?;
        triple("emission", emission, RADIANCE)?;
        number("opacity", *opacity, PART)?;
        number("transmission", *transmission, PART)?;
        number("fade", *fade, LENGTH)?;
        number("rim", *rim, LENGTH)?;
        number("rim_opacity", *rim_opacity, PART)
    }

    /// Two edges must span an area: neither short, nor along one line.
    fn spans(&self, path: &str, half_u: &[f32; 3], half_v: &[f32; 3]) -> Result<()> {
        let [u, v] = [half_u, half_v].map(|half| DVec3::from_array(half.map(f64::from)));
        for (field, half) in [("half_u", u), ("half_v", v)] {
            if half.length() < 1e-3 {
                let path = format!("{path}.{field}");
                let value = format!("{} m long", half.length());
                return Err(self.wrong(&path, value, "1 mm long or more"));
            }
        }
        if u.cross(v).length() < 0.01 * u.length() * v.length() {
            let value = format!("{half_v:?}");
            let range = "half a degree or more from the line of `half_u`";
            return Err(self.wrong(&format!("{path}.half_v"), value, range));
        }
        Ok(())
    }

    fn splats(&self, path: &str, spec: &SplatSpec) -> Result<()> {
        let SplatSpec {
            file,
            position,
            rotation,
            scale,
            opacity,
            radiance,
            colors: _,
            lit: _,
        } = spec;
        self.text(&format!("{path}.file"), file, LONGEST_SENTENCE)?;
        let number =
            |field: &str, value: f32, range| self.number(&format!("{path}.{field}"), value, range);
        self.triple(&format!("{path}.position"), position, PLACE)?;
        self.triple(
            &format!("{path}.rotation"),
            rotation,
            from(-360.0, 360.0, "°"),
        )?;
        number("scale", *scale, SIZE)?;
        number("opacity", *opacity, PART)?;
        number("radiance", *radiance, RADIANCE)
    }

    fn mesh(&self, path: &str, mesh: &MeshSpec) -> Result<()> {
        let number =
            |field: &str, value: f32, range| self.number(&format!("{path}.{field}"), value, range);
        let triple = |field: &str, values: &[f32; 3], range| {
            self.triple(&format!("{path}.{field}"), values, range)
        };
        match mesh {
            MeshSpec::Box {
                center,
                half_size,
                albedo,
                emission,
            } => {
                triple("center", center, PLACE)?;
                triple("half_size", half_size, SIZE)?;
                triple("albedo", albedo, PART)?;
                number("emission", *emission, RADIANCE)
            }
            MeshSpec::Cylinder {
                base,
                radius,
                height,
                segments,
                flutes,
                albedo,
                emission,
            } => {
                triple("base", base, PLACE)?;
                number("radius", *radius, SIZE)?;
                number("height", *height, SIZE)?;
                if !(3..=256).contains(segments) {
                    let path = format!("{path}.segments");
                    return Err(self.wrong(&path, segments, "from 3 to 256"));
                }
                if *flutes > MOST_FLUTES {
                    let path = format!("{path}.flutes");
                    return Err(self.wrong(&path, flutes, &format!("from 0 to {MOST_FLUTES}")));
                }
                triple("albedo", albedo, PART)?;
                number("emission", *emission, RADIANCE)
            }
            MeshSpec::Plane {
                center,
                half_size,
                albedo,
            } => {
                triple("center", center, PLACE)?;
                each(&format!("{path}.half_size"), half_size, |path, half| {
                    self.number(path, *half, SIZE)
                })?;
                triple("albedo", albedo, PART)
            }
            MeshSpec::File {
                file,
                position,
                rotation,
                scale,
            } => {
                self.text(&format!("{path}.file"), file, LONGEST_SENTENCE)?;
                triple("position", position, PLACE)?;
                triple("rotation", rotation, from(-360.0, 360.0, "°"))?;
                number("scale", *scale, SIZE)
            }
        }
    }
}
