//! Captions that name A and B on a saved picture, placed as on screen.

use std::sync::Arc;

use egui::epaint::text::{Fonts, LayoutJob, TextOptions, TextWrapping};
use egui::{Color32, FontDefinitions, FontId, Galley};

use crate::report::canvas::{Canvas, Rgb};

use super::images::{Image, NamePlace, SIDE_COLORS};
use super::state::State;

/// Layout in pixels: text size, padding, distance from the edges and the split line, and height of the coloured line.
const TEXT: f32 = 13.0;
const PAD: i32 = 4;
const MARGIN: i32 = 6;
const EDGE: u32 = 3;
const GROUND: Rgb = [8, 9, 11];
const INK: Rgb = [235; 3];

pub struct Captions {
    images: Vec<Image>,
    names: [String; 2],
}

impl Captions {
    pub fn of(state: &State) -> Option<Self> {
        let (comparison, pane) = (&state.comparison, &state.panes.picture);
        comparison.chosen.labels.then(|| Self {
            images: comparison.images(pane, state.subject.settings.size),
            names: comparison.names(),
        })
    }

    pub fn write(&self, canvas: &mut Canvas) {
        let mut fonts = Fonts::new(TextOptions::default(), FontDefinitions::default());
        let count = |axis: usize| {
            let last = self.images.iter().map(|image| image.cell[axis]).max();
            last.map_or(1, |last| last + 1)
        };
        let size = [0, 1].map(|axis| canvas.size()[axis] / count(axis));
        for image in &self.images {
            let corner = [0, 1].map(|axis| (image.cell[axis] * size[axis]) as i32);
            let right = corner[0] + size[0] as i32;
            let line = corner[0] + (image.split * size[0] as f32) as i32;
            for (side, place) in image.names() {
                let room = match place {
                    NamePlace::Corner => right - corner[0] - MARGIN,
                    NamePlace::LeftOfLine => line - MARGIN - corner[0],
                    NamePlace::RightOfLine => right - line - MARGIN,
                };
                let room = (room - 2 * PAD).max(0) as f32;
                let name = laid_out(&mut fonts, &self.names[*side], room);
                let [width, height] = [name.rect.width(), name.rect.height()];
                if width > room {
                    continue;
                }
                let width = width.ceil() as i32 + 2 * PAD;
                let left = match place {
                    NamePlace::Corner => corner[0] + MARGIN,
                    NamePlace::LeftOfLine => line - MARGIN - width,
                    NamePlace::RightOfLine => line + MARGIN,
                };
                let at = [left, corner[1] + MARGIN];
                let height = height.ceil() as u32 + PAD as u32;
                canvas.fill(at, [width as u32, height], GROUND);
                canvas.fill(at, [width as u32, EDGE], SIDE_COLORS[*side]);
                draw(canvas, &fonts, &name, [at[0] + PAD, at[1] + PAD]);
            }
        }
    }
}

fn laid_out(fonts: &mut Fonts, name: &str, room: f32) -> Arc<Galley> {
    let font = FontId::proportional(TEXT);
    let mut job = LayoutJob::simple_singleline(name.to_owned(), font, Color32::WHITE);
    job.wrap = TextWrapping::truncate_at_width(room);
    fonts.with_pixels_per_point(1.0).layout_job(job)
}

/// Copies glyphs from the font atlas. The text's top left corner is `at`.
fn draw(canvas: &mut Canvas, fonts: &Fonts, name: &Galley, at: [i32; 2]) {
    let atlas = fonts.texture_atlas().image();
    for row in &name.rows {
        for glyph in &row.row.glyphs {
            let place = row.pos + glyph.pos.to_vec2() + glyph.uv_rect.offset;
            let [left, top] = [
                at[0] + place.x.round() as i32,
                at[1] + place.y.round() as i32,
            ];
            let [min, max] = [glyph.uv_rect.min, glyph.uv_rect.max].map(|of| of.map(usize::from));
            for (dy, y) in (min[1]..max[1]).enumerate() {
                for (dx, x) in (min[0]..max[0]).enumerate() {
                    let at = [left + dx as i32, top + dy as i32];
                    let part = u16::from(atlas[(x, y)].a());
                    let Some(below) = canvas.get(at).filter(|_| part > 0) else {
                        continue;
                    };
                    // The atlas is designed for egui's blending, which does not convert to linear light.
                    let mixed = |channel: usize| {
                        let [below, ink] = [below, INK].map(|of| u16::from(of[channel]));
                        ((below * (255 - part) + ink * part) / 255) as u8
                    };
                    canvas.fill(at, [1, 1], [0, 1, 2].map(mixed));
                }
            }
        }
    }
}
