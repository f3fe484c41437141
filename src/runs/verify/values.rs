//! `verify --values`: composites the user's own numbers, read from a CSV file, with every method.

use std::path::Path;

use serde::Serialize;

use super::table::Table;
use crate::error::{Error, Result};
use crate::gpu::{Gpu, Pipelines};
use crate::input;
use crate::model::methods::Method;
use crate::model::options::{ListOrder, MethodOptions, Options};
use crate::model::reference::composite::{Layer, composite, composite_guarded};

pub const MOST_ROWS: usize = 1_000_000;

/// Numbers from a file. They are stored front to back, the reverse of the file's rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// Layers from near to far. A scalar file has the same value in all channels.
    pub layers: Vec<Layer>,
    /// True if the file has one value per row instead of three.
    pub scalar: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Number {
    /// Value in a file with the header `value,t`.
    Scalar(f64),
    /// Value in a file with the header `r,g,b,t`.
    Rgb([f64; 3]),
}

#[derive(Clone, Debug, Serialize)]
pub struct ValueResult {
    pub method: Method,
    /// Wave size of the kernel. Null if it could not determine the size.
    pub wave_size: Option<u32>,
    pub result: Number,
    /// Fraction of the background that remains visible.
    pub transmittance: f64,
    /// Largest error of result and transmittance, compared with f64 on the same f32 inputs.
    pub error: f64,
}

/// Reads a CSV file with the header `value,t` or `r,g,b,t`. The rows are in the order of the article's loop. The first
/// row is applied first, so the last row has list index 0.
pub fn read(path: &Path) -> Result<Values> {
    let name = path.display().to_string();
    let text = input::text(path, input::VALUES)
        .map_err(|why| Error::usage(format!("cannot read {name}: {why}")))?;
    parse(&text, &name)
}

/// Like [`read`], but from text. `name` appears in messages.
pub fn parse(text: &str, name: &str) -> Result<Values> {
    let wrong = |line: usize, why: &str| Error::usage(format!("{name}:{line}: {why}"));
    let mut lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
    let columns = fields(lines.next().map_or("", |(_, header)| header));
    let scalar = match columns.as_slice() {
        ["value", "t"] => true,
        ["r", "g", "b", "t"] => false,
        other => {
            let header = other.join(",");
            let must = "it must be \"value,t\" or \"r,g,b,t\"";
            return Err(wrong(1, &format!("the header is \"{header}\"; {must}")));
        }
    };
    let mut layers = Vec::new();
    for (line, row) in lines.filter(|(_, row)| !row.trim().is_empty()) {
        if layers.len() == MOST_ROWS {
            let why = format!("more than {MOST_ROWS} rows; split the file");
            return Err(wrong(line, &why));
        }
        let layer = layer(&fields(row), &columns);
        layers.push(layer.map_err(|why| wrong(line, &why))?);
    }
    layers.reverse();
    Ok(Values { layers, scalar })
}

/// The fields of a row. Numbers may have quotes.
fn fields(row: &str) -> Vec<&str> {
    let fields = row.split(',');
    fields.map(|field| field.trim().trim_matches('"')).collect()
}

fn layer(record: &[&str], columns: &[&str]) -> std::result::Result<Layer, String> {
    if record.len() != columns.len() {
        return Err(format!(
            "the row has {} of {} fields ({})",
            record.len(),
            columns.len(),
            columns.join(",")
        ));
    }
    let mut numbers = Vec::with_capacity(columns.len());
    for (text, column) in record.iter().zip(columns) {
        let number: f32 = text
            .parse()
            .map_err(|_| format!("{column} is \"{text}\", not a number"))?;
        if !number.is_finite() {
            return Err(format!("{column} is \"{text}\"; it must be a finite f32"));
        }
        numbers.push(number);
    }
    let (color, opacity) = match numbers[..] {
        [value, opacity] => ([value; 3], opacity),
        [r, g, b, opacity] => ([r, g, b], opacity),
        _ => return Err("wrong number of fields".to_owned()),
    };
    if !(0.0..=1.0).contains(&opacity) {
        return Err(format!("t is {opacity}; it must be within 0 to 1"));
    }
    Ok(Layer { color, opacity })
}

pub fn run(
    gpu: &Gpu,
    pipelines: &Pipelines,
    values: &Values,
    methods: &[Method],
    method: MethodOptions,
) -> Result<Vec<ValueResult>> {
    let options = Options::default().with_method(|options| *options = method);
    let (tile, order) = (options.frame.tile, ListOrder::Sorted);
    let table = Table::new(gpu, &[&values.layers], tile, true, order)?;
    methods
        .iter()
        .map(|&method| {
            let result = table.result(gpu, pipelines, options.specialize(method));
            let result = gpu.finish(result)?;
            let is_guarded = options.method.hazard.guards() && method.uses_prefix_product();
            let reference = match is_guarded {
                true => composite_guarded(&values.layers),
                false => composite(&values.layers),
            };
            let found = result.lists[0][0].map(f64::from);
            let errors = found.iter().zip(reference.channels());
            let errors = errors.map(|(found, expected)| (found - expected).abs());
            let [r, g, b, transmittance] = found;
            Ok(ValueResult {
                method,
                wave_size: (result.wave_size > 0).then_some(result.wave_size),
                result: match values.scalar {
                    true => Number::Scalar(r),
                    false => Number::Rgb([r, g, b]),
                },
                transmittance,
                // The result is NaN if any error is NaN.
                error: errors.fold(0.0, |most, error| match most >= error {
                    true => most,
                    false if most.is_nan() => most,
                    false => error,
                }),
            })
        })
        .collect()
}
