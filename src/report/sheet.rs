//! `sheet.png`: every method's picture above its difference, labelled, on one page. Touches no files
//! and no clock: same input, same bytes.

use super::canvas::{Canvas, Reduce};
use super::heat::Legend;
use super::layout::{
    BACKGROUND, BODY, CARD, Fact, FactRows, LABEL, LINE, LINE_HEIGHT, SMALL, TITLE,
};
use super::range::DifferenceRange;
use super::scale;
use super::text::{Align, TypefaceError, Typefaces};

/// No sheet is wider than this, in pixels.
pub const GREATEST_WIDTH: u32 = 2000;
/// No sheet is narrower than this, in pixels, so that header and footer fit.
const LEAST_WIDTH: u32 = 780;
/// More columns than this would make the thumbnails too small to judge.
const MOST_COLUMNS: usize = 5;
/// Room around the page, pixels.
const MARGIN: i32 = 40;
/// Room between cards, pixels.
const GAP: i32 = 20;
/// Room inside a card around its contents, pixels.
const PADDING: i32 = 16;
/// Greatest width and height of a thumbnail.
const GREATEST_THUMBNAIL: u32 = 480;
/// A card's contents are at least this wide, so that its label and its notes fit.
pub(super) const LEAST_CONTENTS: u32 = 260;
/// Height of a card's label.
const LABEL_HEIGHT: i32 = 26;
/// Height of a line of notes.
const NOTE_HEIGHT: i32 = 20;
/// Room between the notes, the picture and the difference, pixels.
const PICTURE_GAP: i32 = 12;
const TITLE_HEIGHT: i32 = 40;

/// One method on the sheet.
#[derive(Clone, Debug)]
pub struct SheetCell {
    /// The method's name.
    pub label: String,
    /// Short lines under the name: the wave size it ran at, its max abs, its time.
    pub note_lines: Vec<String>,
    /// Its picture, tone mapped.
    pub picture: Thumbnail,
    pub difference: Thumbnail,
}

/// A picture as small as a sheet shows it.
#[derive(Clone, Debug)]
pub struct Thumbnail(Canvas);

impl Thumbnail {
    /// Scales a picture, tone mapped, for a sheet of so many methods.
    #[must_use]
    pub fn of_picture(methods: usize, picture: &Canvas) -> Self {
        Self(thumbnail(picture, widest(columns(methods)), Reduce::Mean))
    }

    /// Scales a difference in the colours of [`scale`] (see [`super::heat::painted`]) for a sheet of so many methods.
    #[must_use]
    pub fn of_difference(methods: usize, difference: &Canvas) -> Self {
        let widest = widest(columns(methods));
        Self(thumbnail(difference, widest, scale::KEEP_WORST))
    }
}

/// Everything a sheet shows.
#[derive(Clone, Debug, Default)]
pub struct ContactSheet {
    /// The heading, such as the scene's name.
    pub title: String,
    /// What the frame was made with: size, time, seed, camera, reference.
    pub facts: Vec<Fact>,
    /// How many methods the thumbnails are made for.
    pub methods: usize,
    /// What the colours of all differences stand for.
    pub range: DifferenceRange,
    /// The methods, in the order to show them; fewer where some failed.
    pub cells: Vec<SheetCell>,
    /// Lines for the footer: what did not run and why.
    pub notes: Vec<String>,
}

impl SheetCell {
    /// What its card shows below the notes, from top to bottom.
    fn thumbnails(&self) -> [&Canvas; 2] {
        [&self.picture.0, &self.difference.0]
    }
}

/// Where everything stands on a sheet, in pixels from its top left corner.
struct Page {
    /// Width and height of the whole sheet.
    size: [u32; 2],
    /// Width between the margins.
    width: u32,
    grid: Grid,
    facts: FactRows,
    explanation: Vec<String>,
    legend: Legend,
    notes: Vec<String>,
    grid_top: i32,
    explanation_top: i32,
    legend_top: i32,
    notes_top: i32,
}

impl Page {
    fn new(sheet: &ContactSheet, faces: &Typefaces) -> Self {
        let cells = sheet.cells.len();
        let grid = Grid::new(sheet.methods, &sheet.cells);
        let width = grid.width(cells).max(LEAST_WIDTH - 2 * MARGIN as u32);
        let facts = FactRows::new(faces, &sheet.facts, width);
        let explanation = faces.wrapped(BODY, &explanation(sheet.range), width as f32);
        let notes = sheet.wrapped_notes(faces, width);
        let legend = Legend::new(faces, width, sheet.range);

        let grid_top = MARGIN + TITLE_HEIGHT + facts.height() + GAP;
        let explanation_top = grid_top + grid.height(cells) + GAP;
        let legend_top = explanation_top + line_heights(&explanation) + 8;
        let notes_top = legend_top + legend.height() + 14;
        let height = notes_top + line_heights(&notes) + MARGIN - 16;
        Self {
            size: [width + 2 * MARGIN as u32, height as u32],
            width,
            grid,
            facts,
            explanation,
            legend,
            notes,
            grid_top,
            explanation_top,
            legend_top,
            notes_top,
        }
    }
}

/// The measures that all cards share.
struct Grid {
    columns: usize,
    thumbnail: [u32; 2],
    contents_width: u32,
    note_lines: usize,
}

impl ContactSheet {
    /// Draws the sheet.
    ///
    /// # Errors
    /// [`TypefaceError`] where the embedded typefaces cannot be read.
    pub fn draw(&self) -> Result<Canvas, TypefaceError> {
        let faces = Typefaces::embedded()?;
        let page = Page::new(self, &faces);
        let mut canvas = Canvas::filled(page.size, BACKGROUND);
        let title = faces.fitted(TITLE, &self.title, page.width as f32);
        faces.draw(
            &mut canvas,
            TITLE,
            Align::Left,
            [MARGIN, MARGIN + 24],
            &title,
        );
        let facts = &page.facts;
        facts.draw(&mut canvas, &faces, [MARGIN, MARGIN + TITLE_HEIGHT]);
        for (index, cell) in self.cells.iter().enumerate() {
            let at = page.grid.card_at(index, [MARGIN, page.grid_top]);
            page.grid.draw_card(&mut canvas, &faces, at, cell);
        }
        draw_lines(&mut canvas, &faces, &page.explanation, page.explanation_top);
        let legend = &page.legend;
        legend.draw(&mut canvas, &faces, [MARGIN, page.legend_top]);
        draw_lines(&mut canvas, &faces, &page.notes, page.notes_top);
        Ok(canvas)
    }

    fn wrapped_notes(&self, faces: &Typefaces, width: u32) -> Vec<String> {
        let wrap = |note: &String| faces.wrapped(BODY, note, width as f32);
        self.notes.iter().flat_map(wrap).collect()
    }
}

impl Grid {
    fn new(methods: usize, cells: &[SheetCell]) -> Self {
        let thumbnails = cells.iter().flat_map(SheetCell::thumbnails);
        let sizes = thumbnails.map(Canvas::size);
        let thumbnail = sizes.fold([1, 1], |a, b| [a[0].max(b[0]), a[1].max(b[1])]);
        let note_lines = cells.iter().map(|cell| cell.note_lines.len()).max();
        Self {
            columns: columns(methods),
            thumbnail,
            contents_width: thumbnail[0].max(LEAST_CONTENTS),
            note_lines: note_lines.unwrap_or(0),
        }
    }

    fn card_size(&self) -> [u32; 2] {
        let pictures = 2 * (self.thumbnail[1] as i32 + PICTURE_GAP);
        let text = LABEL_HEIGHT + self.note_lines as i32 * NOTE_HEIGHT;
        let height = 2 * PADDING + text + pictures;
        [self.contents_width + 2 * PADDING as u32, height as u32]
    }

    /// Width of all columns in use, in pixels.
    fn width(&self, cells: usize) -> u32 {
        let columns = self.columns.min(cells) as u32;
        columns * self.card_size()[0] + columns.saturating_sub(1) * GAP as u32
    }

    /// Height of all rows, in pixels.
    fn height(&self, cells: usize) -> i32 {
        let rows = cells.div_ceil(self.columns) as i32;
        rows * self.card_size()[1] as i32 + (rows - 1).max(0) * GAP
    }

    /// Top left corner of a card.
    fn card_at(&self, index: usize, [left, top]: [i32; 2]) -> [i32; 2] {
        let step = self.card_size().map(|length| length as i32 + GAP);
        let [column, row] = [index % self.columns, index / self.columns].map(|n| n as i32);
        [left + column * step[0], top + row * step[1]]
    }

    fn draw_card(&self, canvas: &mut Canvas, faces: &Typefaces, at: [i32; 2], cell: &SheetCell) {
        canvas.fill(at, self.card_size(), CARD);
        let left = at[0] + PADDING;
        let room = self.contents_width as f32;
        let label = faces.fitted(LABEL, &cell.label, room);
        let baseline = at[1] + PADDING + 14;
        faces.draw(canvas, LABEL, Align::Left, [left, baseline], &label);
        for (line, note) in cell.note_lines.iter().enumerate() {
            let note = faces.fitted(SMALL, note, room);
            let baseline = baseline + 23 + line as i32 * NOTE_HEIGHT;
            faces.draw(canvas, SMALL, Align::Left, [left, baseline], &note);
        }
        let notes = self.note_lines as i32 * NOTE_HEIGHT;
        let top = at[1] + PADDING + LABEL_HEIGHT + notes + PICTURE_GAP;
        let step = self.thumbnail[1] as i32 + PICTURE_GAP;
        for (row, small) in cell.thumbnails().into_iter().enumerate() {
            let at = [left, top + row as i32 * step];
            canvas.frame(at, small.size(), LINE);
            canvas.blit(at, small);
        }
    }
}

/// The columns of a sheet of so many methods.
fn columns(methods: usize) -> usize {
    let rows = methods.div_ceil(MOST_COLUMNS).max(1);
    methods.div_ceil(rows).max(1)
}

/// The greatest width of a thumbnail in one of so many columns, in pixels.
fn widest(columns: usize) -> u32 {
    let gaps = (columns as u32 - 1) * GAP as u32;
    let room = (GREATEST_WIDTH - 2 * MARGIN as u32 - gaps) / columns as u32;
    (room - 2 * PADDING as u32).min(GREATEST_THUMBNAIL)
}

/// The size of a picture's thumbnail in its own proportions: scaled down to `width` and the greatest
/// height, or up by a whole factor where it is less than half of that.
fn fitted(size: [u32; 2], width: u32) -> [u32; 2] {
    let size = size.map(|length| length.max(1));
    let factor = (width / size[0]).min(GREATEST_THUMBNAIL / size[1]);
    if factor >= 1 {
        return size.map(|length| length * factor);
    }
    let [w, h] = size.map(f64::from);
    let scale = (f64::from(width) / w).min(f64::from(GREATEST_THUMBNAIL) / h);
    [w, h].map(|length| (length * scale).round().max(1.0) as u32)
}

/// A picture at its [`fitted`] size.
fn thumbnail(picture: &Canvas, width: u32, reduce: Reduce) -> Canvas {
    let size = fitted(picture.size(), width);
    let factor = size[0] / picture.size()[0].max(1);
    if factor >= 1 {
        picture.enlarged(factor)
    } else {
        picture.shrunk(size, reduce)
    }
}

/// What the lower picture of each card shows.
fn explanation(range: DifferenceRange) -> String {
    format!(
        "Differences: maximum of r, g, b and T in the linear composites, {} in all pictures; \
        values beyond it take the colour of that end. A thumbnail keeps the worst pixel of each area.",
        scale::range_text(range)
    )
}

fn line_heights(lines: &[String]) -> i32 {
    lines.len() as i32 * LINE_HEIGHT
}

fn draw_lines(canvas: &mut Canvas, faces: &Typefaces, lines: &[String], top: i32) {
    for (line, text) in lines.iter().enumerate() {
        let baseline = top + line as i32 * LINE_HEIGHT + LINE_HEIGHT - 7;
        faces.draw(canvas, BODY, Align::Left, [MARGIN, baseline], text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Outcome = Result<(), TypefaceError>;

    fn sheet(methods: usize, size: [u32; 2]) -> ContactSheet {
        let cell = |index: usize| SheetCell {
            label: format!("method-{index}"),
            note_lines: vec!["wave 32".to_owned(), "max abs 0".to_owned()],
            picture: Thumbnail::of_picture(
                methods,
                &Canvas::filled(size, [90 + index as u8, 120, 160]),
            ),
            difference: Thumbnail::of_difference(methods, &Canvas::filled(size, scale::EQUAL)),
        };
        ContactSheet {
            title: "temple".to_owned(),
            facts: vec![("size".to_owned(), "1280x720".to_owned())],
            methods,
            range: DifferenceRange::default(),
            cells: (0..methods).map(cell).collect(),
            notes: vec!["A method did not run.".to_owned()],
        }
    }

    #[test]
    fn no_sheet_is_wider_than_2000_pixels() -> Outcome {
        for methods in 0..=13 {
            for size in [[1280, 720], [161, 91], [64, 900], [1, 1]] {
                let sheet = sheet(methods, size);
                let [width, height] = Page::new(&sheet, &Typefaces::embedded()?).size;
                assert!((LEAST_WIDTH..=GREATEST_WIDTH).contains(&width), "{width}");
                assert!(height > 100);
                if [0, 1, 13].contains(&methods) {
                    assert_eq!(sheet.draw()?.size(), [width, height]);
                }
            }
        }
        Ok(())
    }

    #[test]
    fn every_method_is_on_the_sheet() -> Outcome {
        for methods in [1, 5, 7, 12] {
            let canvas = sheet(methods, [400, 200]).draw()?;
            for index in 0..methods {
                let colour = [90 + index as u8, 120, 160];
                let pixels = canvas.pixels().iter().filter(|&&p| p == colour).count();
                assert!(pixels > 300 * 150, "method {index} of {methods}: {pixels}");
            }
            let absent = [90 + methods as u8, 120, 160];
            assert!(!canvas.pixels().contains(&absent), "negative control");
        }
        Ok(())
    }

    #[test]
    fn one_bad_pixel_shows_on_the_sheet() -> Outcome {
        let mut sheet = sheet(7, [1280, 720]);
        let magenta = |canvas: &Canvas| {
            let pixels = canvas.pixels().iter();
            pixels.filter(|&&p| p == scale::NOT_FINITE).count()
        };
        let before = magenta(&sheet.draw()?);
        let mut difference = Canvas::filled([1280, 720], scale::EQUAL);
        difference.fill([700, 301], [1, 1], scale::NOT_FINITE);
        sheet.cells[4].difference = Thumbnail::of_difference(7, &difference);
        assert!(magenta(&sheet.draw()?) > before);
        Ok(())
    }

    #[test]
    fn same_input_gives_the_same_sheet_and_other_input_another() -> Outcome {
        let mut sheet = sheet(3, [320, 180]);
        let first = sheet.draw()?;
        assert_eq!(first, sheet.draw()?);
        sheet.cells[1].note_lines[1] = "max abs 1".to_owned();
        let second = sheet.draw()?;
        assert_ne!(first, second);
        sheet.range = DifferenceRange::new(-7, -3).expect("a range");
        assert_ne!(second, sheet.draw()?, "the scale");
        Ok(())
    }

    #[test]
    fn thumbnails_keep_their_proportions() {
        assert_eq!(fitted([1280, 720], 462), [462, 260]);
        assert_eq!(fitted([100, 960], 462), [50, 480]);
        assert_eq!(fitted([161, 91], 462), [322, 182]);
        assert_eq!(fitted([462, 480], 462), [462, 480]);
        assert_eq!(fitted([9000, 1], 462), [462, 1]);
    }
}
