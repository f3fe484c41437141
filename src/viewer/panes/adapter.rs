//! Pane "Adapter": adapter, shader source, and vertical synchronisation.

use egui::{Color32, RichText, Ui};

use super::style::warn;
use crate::gpu::checks_shaders;
use crate::model::settings::Settings;
use crate::viewer::controls::toggle;
use crate::viewer::machine::Machine;
use crate::viewer::readings::Readings;
use crate::viewer::shaders::{Freshness, ShaderStatus};

pub fn adapter(ui: &mut Ui, machine: &mut Machine, defaults: &Settings, readings: &Readings) {
    let caps = &machine.caps;
    ui.label(RichText::new(&caps.name).strong());
    ui.label(format!("{} · {}", caps.backend, caps.driver));
    let (least, most) = (caps.wave_min, caps.wave_max);
    if !caps.waves {
        warn(ui, "no wave operations: wave methods are unavailable");
    } else if least == most {
        ui.label(format!("wave of {least} lanes"));
    } else {
        ui.label(format!("waves of {least} to {most} lanes"));
    }
    if checks_shaders() {
        warn(
            ui,
            "debug build: run-time checks in shaders make times unreliable",
        );
    } else {
        ui.label("release build");
    }
    if let Some(status) = readings.shaders {
        dot(ui, status);
    }
    if caps.is_cpu {
        let [width, height] = defaults.size;
        warn(
            ui,
            format!(
                "CPU adapter: starts at {width}x{height}, {} particles and {} slices to stay \
                 interactive; times are not GPU measurements",
                defaults.particles, defaults.fog_slices
            ),
        );
    }
    if caps.is_cpu {
        let hover = "Draw smaller frames with integrated fog, about ten per second, while the camera, the clock or a slider \
                     moves. A full frame follows; only full frames are measured and saved.";
        toggle(ui, ("eases moving", hover), (&mut machine.eases, &true));
    }
    let hover = "Wait for the display before presenting. While on, the GPU idles between frames, so its \
                 clocks may drop and times rise.";
    toggle(ui, ("v-sync", hover), (&mut machine.vsync, &true));
    if machine.vsync && !machine.caps.is_cpu {
        warn(ui, "v-sync is on: GPU times may be too long");
    }
}

fn dot(ui: &mut Ui, status: &ShaderStatus) {
    let color = match status.freshness {
        Freshness::Unchanged => Color32::from_gray(140),
        Freshness::Fresh => Color32::from_rgb(70, 160, 220),
        Freshness::Failed => Color32::from_rgb(230, 120, 30),
    };
    let row = ui.horizontal(|ui| {
        ui.colored_label(color, "●");
        ui.label(format!("shaders: {}", status.freshness.word()));
    });
    row.response.on_hover_text(status.hover());
}
