//! `wavelerp probe`: a pixel's ordered layers, each method's result, and the light that approximate methods assume.

use std::path::PathBuf;

use serde::Serialize;

use super::common::Common;
use super::output::{Results, number};
use crate::error::{Error, Result};
use crate::gpu::shader::provenance::Provenance;
use crate::gpu::{Gpu, Pipelines};
use crate::live::definition::Scope;
use crate::live::inspect;
use crate::live::inspect::{LayerId, Probed};
use crate::model::items::ItemKind;
use crate::model::methods::Method;
use crate::model::reference::composite::Composite;
use crate::model::scene::{Scene, Splatted};
use crate::model::settings::{Purpose, SceneArgs, Settings};
use crate::report::table::{or_nothing, plain};
use crate::runs::capture::Capture;
use crate::runs::verify::self_test::{choose, named};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wavelerp probe --pixel 320,180
  wavelerp probe --scene two --size 160x90 --pixel 80,45 --json -
  wavelerp probe --scene stress --pixel 100,60 --methods pixel-loop,wave-lerp-deferred
  wavelerp probe --pixel 320,180 --methods approximate --bins 32")]
#[command(next_help_heading = "Pixel and results")]
pub struct ProbeArgs {
    /// Pixel: column and row, from 0,0 in the top left corner
    #[arg(long, value_parser = parse_pixel, value_name = "X,Y")]
    pixel: [u32; 2],
    /// Also write layers and results as JSON to this file; `-` prints only JSON to standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    scene: SceneArgs,
}

#[derive(Serialize)]
struct LayerRow {
    kind: &'static str,
    index: u32,
    depth: f32,
    rgb: [f32; 3],
    opacity: f32,
    /// For a Gaussian, its file and the values in that file.
    #[serde(skip_serializing_if = "Option::is_none")]
    splat: Option<SplatRow>,
}

#[derive(Serialize)]
struct SplatRow {
    #[serde(flatten)]
    splat: Splatted,
    /// Radiance towards the camera, before fog.
    own_rgb: [f32; 3],
}

#[derive(Serialize)]
struct MethodRow {
    method: &'static str,
    wave_size: Option<u32>,
    rgb: [f32; 3],
    transmittance: f32,
}

/// Light that a method assumes, computed in f64 from the method's definition.
#[derive(Serialize)]
struct Belief {
    method: &'static str,
    /// Method with its options: "histogram 16 bins".
    label: String,
    /// Transmittance to each layer, in layer order.
    light: Vec<f64>,
    rgb: [f64; 3],
    transmittance: f64,
}

#[derive(Serialize)]
struct Probe {
    settings: Settings,
    shaders: String,
    adapter: String,
    pixel: [u32; 2],
    background: [f32; 3],
    /// Integrated fog between the last layer and the background: radiance and transmittance.
    #[serde(skip_serializing_if = "Option::is_none")]
    fog_behind: Option<[f64; 4]>,
    layers: Vec<LayerRow>,
    methods: Vec<MethodRow>,
    beliefs: Vec<Belief>,
}

fn parse_pixel(text: &str) -> std::result::Result<[u32; 2], String> {
    let form = || format!("\"{text}\" is not a pixel; write for example 640,360");
    let (x, y) = text.split_once(',').ok_or_else(form)?;
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| form());
    Ok([number(x)?, number(y)?])
}

pub(super) fn run(args: &ProbeArgs, common: &Common) -> Result<()> {
    let request = common.read(&args.scene)?;
    let results = Results::choose(args.json.as_deref())?;
    let gpu = common.open()?;
    let pipelines = common.pipelines();
    let (settings, notice) = request.settle(&gpu.caps, Purpose::Capture)?;
    if let Some(notice) = notice {
        common.progress(notice);
    }
    let [width, height] = settings.size;
    if args.pixel[0] >= width || args.pixel[1] >= height {
        return Err(Error::usage(format!(
            "--pixel {},{}: outside the frame of {width}x{height}; x must be below {width} and y \
             below {height}",
            args.pixel[0], args.pixel[1]
        )));
    }
    let tested = named(request.methods())?;
    let statuses = common.self_test(&gpu, &pipelines, &tested, &settings.options)?;
    let methods = choose(request.methods(), &statuses)?;
    settings.options.frame.precision.check(&methods)?;
    let scene = &request.scene;
    // The probe itself needs sorted lists, just as `pixel-loop` does.
    let needed = [&*methods, &[Method::PixelLoop]].concat();
    let mut capture = Capture::expecting(&gpu, &pipelines, scene, settings, &needed)?;
    let probe = Probe::gather(&gpu, &pipelines, scene, &mut capture, args.pixel, &methods)?;
    results.write(&probe, || probe.text())
}

/// The exact light, and the light that each approximate method of `methods` assumes; if it names none, all are used.
fn beliefs(capture: &Capture, probed: &Probed, pixel: [u32; 2], methods: &[Method]) -> Vec<Belief> {
    let scope = Scope::of(&capture.frame, pixel);
    let named = methods.iter().copied().filter(|method| !method.is_exact());
    let mut approximate: Vec<Method> = named.collect();
    if approximate.is_empty() {
        approximate.extend(Method::approximate());
    }
    let belief = |(label, method): (Option<&str>, Method)| {
        let of = capture.settings.options.specialize(method);
        let found = scope.composite(&of, &probed.layers)?;
        let orders = probed.layers.iter().map(|layer| f64::from(layer.order));
        let [r, g, b, transmittance] = probed.before_background(found.result);
        Some(Belief {
            method: method.name(),
            label: label.map_or_else(|| of.label(), str::to_owned),
            light: orders.map(|order| found.transmittance(order)).collect(),
            rgb: [r, g, b],
            transmittance,
        })
    };
    let approximate = approximate.into_iter().map(|method| (None, method));
    let all = [(Some("exact"), Method::PixelLoop)]
        .into_iter()
        .chain(approximate);
    all.filter_map(belief).collect()
}

impl Probe {
    fn gather(
        gpu: &Gpu,
        pipelines: &Pipelines,
        scene: &Scene,
        capture: &mut Capture,
        pixel: [u32; 2],
        methods: &[Method],
    ) -> Result<Self> {
        let probed = inspect::probe(gpu, pipelines, &capture.frame, pixel)?;
        let counts = capture.frame.shape().counts;
        let layers = probed
            .layers
            .iter()
            .map(|layer| {
                let id = layer.id(&counts);
                let splat = match id {
                    LayerId::Item(ItemKind::Gaussian, number) => scene.splatted(number),
                    _ => None,
                };
                let own_rgb = layer.own;
                let splat = splat.map(|splat| SplatRow { splat, own_rgb });
                LayerRow {
                    kind: id.kind_name(),
                    index: id.number(),
                    depth: layer.depth,
                    rgb: layer.color,
                    opacity: layer.opacity,
                    splat,
                }
            })
            .collect();
        let beliefs = beliefs(capture, &probed, pixel, methods);
        let rows = methods
            .iter()
            .map(|&method| {
                let picture = capture.picture(method)?;
                let at = (pixel[1] * capture.settings.size[0] + pixel[0]) as usize;
                let [r, g, b, transmittance] = picture.composite.pixels[at];
                Ok(MethodRow {
                    method: method.name(),
                    wave_size: picture.wave_size,
                    rgb: [r, g, b],
                    transmittance,
                })
            })
            .collect::<Result<_>>()?;
        Ok(Self {
            settings: capture.settings.published(),
            shaders: Provenance::of(&pipelines.source(), None).digest,
            adapter: gpu.caps.name.clone(),
            pixel,
            background: probed.background,
            fog_behind: (probed.fog_behind != Composite::EMPTY)
                .then(|| probed.fog_behind.channels()),
            layers,
            methods: rows,
            beliefs,
        })
    }

    fn text(&self) -> String {
        let [x, y] = self.pixel;
        let layers = self.layers.iter().enumerate().map(|(at, layer)| {
            let [r, g, b] = layer.rgb.map(number);
            vec![
                at.to_string(),
                layer.kind.to_owned(),
                layer.index.to_string(),
                format!("{:.4}", layer.depth),
                r,
                g,
                b,
                format!("{:.6e}", layer.opacity),
            ]
        });
        let [r, g, b] = self.background.map(number);
        let background = ["", "background", "", "", &r, &g, &b, ""].map(str::to_owned);
        let numbers = ["index", "depth m", "r", "g", "b", "opacity"];
        let fog = self.fog_behind.map(|[r, g, b, through]| {
            let [r, g, b] = [r, g, b].map(|value| number(value as f32));
            let opacity = format!("{:.6e}", 1.0 - through);
            ["", "fog behind", "", "", &r, &g, &b, &opacity]
                .map(str::to_owned)
                .to_vec()
        });
        let layers = layers.chain(fog).chain([background.to_vec()]);
        let layers = plain(&["layer", "kind"], &numbers, layers);
        let methods = self.methods.iter().map(|row| {
            let [r, g, b] = row.rgb.map(number);
            let (method, wave) = (row.method.to_owned(), or_nothing(row.wave_size));
            vec![method, wave, r, g, b, number(row.transmittance)]
        });
        let methods = plain(&["method"], &["wave", "r", "g", "b", "T"], methods);
        let splats = self.splats_text();
        let light = self.light_text();
        format!(
            "Pixel {x},{y} of {} on {}\n\nLayers, front to back\n{layers}\n{splats}{light}Methods\n{methods}",
            self.settings.scene, self.adapter
        )
    }

    fn shown(&self) -> impl Iterator<Item = (usize, &LayerRow)> {
        let layers = self.layers.iter().enumerate();
        layers.filter(|(_, layer)| layer.opacity > 0.0)
    }

    /// Transmittance to each visible layer, with one column per entry of `beliefs`.
    fn light_text(&self) -> String {
        let rows = self.shown().map(|(at, layer)| {
            let light = self.beliefs.iter().map(|of| format!("{:.4}", of.light[at]));
            let place = [at.to_string(), format!("{:.4}", layer.depth)];
            place.into_iter().chain(light).collect()
        });
        let names = self.beliefs.iter().map(|belief| belief.label.as_str());
        let numbers: Vec<&str> = ["depth m"].into_iter().chain(names).collect();
        let table = plain(&["layer"], &numbers, rows);
        let fog = self.fog_behind.map_or("", |_| ", fog apart");
        format!(
            "Transmittance to each visible layer{fog}, true and as assumed by methods\n{table}\n"
        )
    }

    /// Gaussians among the visible layers, one per line; empty if there are none.
    fn splats_text(&self) -> String {
        let line = |(at, layer): (usize, &LayerRow)| {
            let SplatRow { splat, own_rgb } = layer.splat.as_ref()?;
            let [r, g, b] = own_rgb.map(number);
            Some(format!(
                "  layer {at}: {splat}, colour from here {r} {g} {b}\n"
            ))
        };
        let lines: String = self.shown().filter_map(line).collect();
        if lines.is_empty() {
            return lines;
        }
        format!("Splats of files\n{lines}\n")
    }
}
