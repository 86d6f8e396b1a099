//! Colours of runs by a parameter of their models.

use crate::chart::of_series;
use crate::drawing::Colour;
use crate::error::PictureError;
use crate::reading::colour_of;
use crate::signals::NamedRun;

/// The part of the scale of colours that is dark enough for lines on white.
const DARK: f64 = 0.9;

/// Values of a parameter in the runs of a plot.
pub struct Key {
    /// Name of the parameter.
    pub parameter: String,
    /// The value in each run, as in a world file.
    pub values: Vec<String>,
    /// Colour of each run.
    pub colours: Vec<Colour>,
}

impl Key {
    /// Reads the values of a parameter. Numbers have the colours of a scale, from dark for the
    /// least to bright for the greatest; texts have distinct colours.
    ///
    /// # Errors
    /// [`PictureError`] if the world of a run is not known, or has no such parameter.
    pub fn new(parameter: &str, runs: &[NamedRun]) -> Result<Self, PictureError> {
        let values: Result<Vec<String>, PictureError> =
            runs.iter().map(|named| named.parameter(parameter)).collect();
        let values = values?;
        let numbers: Option<Vec<f64>> = values.iter().map(|value| value.parse().ok()).collect();
        let colours = match numbers {
            Some(numbers) => {
                let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
                let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let reach = [low, low + (high - low) / DARK];
                let colour = |value: &f64| {
                    let [red, green, blue] = colour_of(*value, reach).map(u32::from);
                    Colour::hex(red << 16 | green << 8 | blue)
                };
                numbers.iter().map(colour).collect()
            }
            None => {
                let mut known: Vec<&String> = Vec::new();
                let number = |value| match known.iter().position(|other| *other == value) {
                    Some(number) => number,
                    None => {
                        known.push(value);
                        known.len() - 1
                    }
                };
                values.iter().map(number).map(of_series).collect()
            }
        };
        Ok(Self { parameter: parameter.to_owned(), values, colours })
    }

    /// Returns the runs by growing values.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.values.len()).collect();
        let number = |run: &usize| self.values[*run].parse().unwrap_or(f64::NAN);
        order.sort_by(|one, other| number(one).total_cmp(&number(other)));
        order
    }
}
