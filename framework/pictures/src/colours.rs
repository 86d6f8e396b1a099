//! Colours of pictures.

use crate::drawing::{Colour, Dash};

/// Colours of the first series, distinct for most kinds of colour blindness (Okabe and Ito, 2008).
const SERIES: [Colour; 8] = [
    Colour::hex(0x0072b2),
    Colour::hex(0xd55e00),
    Colour::hex(0x009e73),
    Colour::hex(0xcc79a7),
    Colour::hex(0xe69f00),
    Colour::hex(0x56b4e9),
    Colour::hex(0x7a5195),
    Colour::hex(0x5c5c5c),
];

/// Dash patterns of series that share a colour.
const DASHES: [Dash; 6] =
    [&[], &[4.0, 2.0], &[1.0, 1.5], &[6.0, 2.0, 1.0, 2.0], &[8.0, 3.0], &[2.0, 2.0]];

/// Colour of texts and axes.
pub const INK: Colour = Colour::hex(0x222222);
/// Colour of grid lines.
pub const GRID: Colour = Colour::hex(0xe6e6e6);
/// Colour of marks and secondary texts.
pub const MARK: Colour = Colour::hex(0x666666);

/// Shades of the colours of further series: the grey level to mix with, and its share.
const SHADES: [(f32, f32); 4] = [(0.0, 0.0), (0.0, 0.45), (255.0, 0.45), (0.0, 0.7)];

/// Returns the colour of a series. Beyond the named colours follow darker and lighter shades of them,
/// because lightness is seen with every kind of colour blindness.
pub fn of_series(number: usize) -> Colour {
    let named = SERIES[number % SERIES.len()];
    let (grey, share) = SHADES[number / SERIES.len() % SHADES.len()];
    let mix = |channel: u8| (f32::from(channel) + share * (grey - f32::from(channel))) as u8;
    Colour { rgb: named.rgb.map(mix), ..named }
}

/// Returns the dash pattern of the `number`-th series of a colour.
pub fn dash_of(number: usize) -> Dash {
    DASHES[number % DASHES.len()]
}

#[cfg(test)]
mod tests {
    use super::{SERIES, of_series};

    #[test]
    fn further_series_have_shades_of_their_own() {
        let all: Vec<[u8; 3]> = (0..32).map(|number| of_series(number).rgb).collect();
        assert_eq!(all[..8], SERIES.map(|colour| colour.rgb));
        for (number, colour) in all.iter().enumerate() {
            assert!(!all[..number].contains(colour), "{number}");
        }
        assert_eq!(all[8], [0, 62, 97]);
    }
}
