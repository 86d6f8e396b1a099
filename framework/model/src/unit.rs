//! Comparison of units, however they are spelled.
//!
//! A unit is a product of symbols with exponents and a scale to SI: `N·m`, `N*m`, `Nm`, `m/s^2`,
//! `m/s²`, `kg·m²`, `N/(m/s)`, `°C`. An angle in radians has the dimension 1, as in SI. An unknown
//! symbol is a separate dimension, so that it equals only itself.

use std::collections::BTreeMap;
use std::f64::consts::PI;

/// Returns whether two units have the same dimension and scale.
///
/// ```
/// use simhost_model::same_unit;
///
/// assert!(same_unit("N·m", "Nm") && same_unit("m/s²", "m s^-2") && same_unit("", "1"));
/// assert!(!same_unit("rad/s", "rpm") && !same_unit("N·m", "lbf·ft") && !same_unit("m", "s"));
/// ```
pub fn same_unit(one: &str, other: &str) -> bool {
    one == other || Unit::read(one).is_same(&Unit::read(other))
}

/// Returns the factor from one unit to another of the same dimension.
pub fn unit_factor(from: &str, to: &str) -> Option<f64> {
    let [from, to] = [from, to].map(Unit::read);
    (from.powers == to.powers).then(|| from.scale / to.scale)
}

/// Returns whether a unit denotes a dimensionless number, an angle, or a time.
pub(crate) fn is_invariant(unit: &str) -> bool {
    let powers = Unit::read(unit).powers;
    powers.is_empty() || powers.len() == 1 && powers.get("s") == Some(&1)
}

/// Longest unit that is read, in bytes; a longer one equals only itself.
const MAX_TEXT: usize = 64;
/// Largest exponent.
const MAX_POWER: i32 = 99;

/// Base units: m, kg, s, A, K, mol, cd, and symbols that are not known.
type Powers = BTreeMap<String, i32>;

/// A product of base units.
#[derive(Debug, PartialEq)]
struct Unit {
    scale: f64,
    /// Exponents other than 0.
    powers: Powers,
}

/// Symbols with a scale and the exponents of m, kg, s and A.
const SYMBOLS: &[(&str, f64, [i32; 4])] = &[
    ("rad", 1.0, [0; 4]),
    ("deg", PI / 180.0, [0; 4]),
    ("°", PI / 180.0, [0; 4]),
    ("rev", 2.0 * PI, [0; 4]),
    ("turn", 2.0 * PI, [0; 4]),
    ("rpm", PI / 30.0, [0, 0, -1, 0]),
    ("%", 0.01, [0; 4]),
    ("m", 1.0, [1, 0, 0, 0]),
    ("g", 1e-3, [0, 1, 0, 0]),
    ("s", 1.0, [0, 0, 1, 0]),
    ("A", 1.0, [0, 0, 0, 1]),
    ("min", 60.0, [0, 0, 1, 0]),
    ("h", 3600.0, [0, 0, 1, 0]),
    ("t", 1e3, [0, 1, 0, 0]),
    ("N", 1.0, [1, 1, -2, 0]),
    ("Pa", 1.0, [-1, 1, -2, 0]),
    ("bar", 1e5, [-1, 1, -2, 0]),
    ("J", 1.0, [2, 1, -2, 0]),
    ("W", 1.0, [2, 1, -3, 0]),
    ("Wh", 3600.0, [2, 1, -2, 0]),
    ("V", 1.0, [2, 1, -3, -1]),
    ("C", 1.0, [0, 0, 1, 1]),
    ("Ah", 3600.0, [0, 0, 1, 1]),
    ("Ω", 1.0, [2, 1, -3, -2]),
    ("ohm", 1.0, [2, 1, -3, -2]),
    ("F", 1.0, [-2, -1, 4, 2]),
    ("H", 1.0, [2, 1, -2, -2]),
    ("T", 1.0, [0, 1, -2, -1]),
    ("in", 0.0254, [1, 0, 0, 0]),
    ("ft", 0.3048, [1, 0, 0, 0]),
    ("mi", 1609.344, [1, 0, 0, 0]),
    ("mph", 0.447_04, [1, 0, -1, 0]),
    ("kph", 1.0 / 3.6, [1, 0, -1, 0]),
    ("kmh", 1.0 / 3.6, [1, 0, -1, 0]),
    ("lb", 0.453_592_37, [0, 1, 0, 0]),
    ("lbf", 4.448_221_615_260_5, [1, 1, -2, 0]),
    ("psi", 6_894.757_293_168, [-1, 1, -2, 0]),
    ("hp", 745.699_871_582, [2, 1, -3, 0]),
];

/// Prefixes, which stand before a symbol of more than one letter or an SI unit.
const PREFIXES: [(&str, f64); 8] = [
    ("n", 1e-9),
    ("µ", 1e-6),
    ("u", 1e-6),
    ("m", 1e-3),
    ("c", 1e-2),
    ("k", 1e3),
    ("M", 1e6),
    ("G", 1e9),
];

/// Symbols that take a prefix.
const PREFIXED: [&str; 15] =
    ["m", "g", "s", "A", "N", "Pa", "bar", "J", "W", "Wh", "V", "Ah", "F", "H", "rad"];

impl Unit {
    fn one() -> Self {
        Self { scale: 1.0, powers: Powers::new() }
    }

    fn read(text: &str) -> Self {
        if text.len() > MAX_TEXT {
            return Self { scale: 1.0, powers: Powers::from([(text.to_owned(), 1)]) };
        }
        let text = text.replace(char::is_whitespace, "·").replace("**", "^");
        let mut unit = Self::one();
        read_product(&mut text.chars().collect::<Vec<_>>().as_slice(), 1, &mut unit);
        unit.powers.retain(|_, power| *power != 0);
        unit
    }

    fn is_same(&self, other: &Self) -> bool {
        // conversion factors are given to nine digits and more
        let near = (self.scale - other.scale).abs() <= 1e-9 * self.scale.abs();
        near && self.powers == other.powers
    }

    fn multiply(&mut self, symbol: &str, power: i32) {
        let Some((scale, exponents)) = known(symbol) else {
            if !symbol.is_empty() {
                *self.powers.entry(symbol.to_owned()).or_default() += power;
            }
            return;
        };
        self.scale *= scale.powi(power);
        for (base, exponent) in ["m", "kg", "s", "A"].into_iter().zip(exponents) {
            *self.powers.entry(base.to_owned()).or_default() += exponent * power;
        }
    }
}

/// Reads factors up to the end or a closing bracket.
fn read_product(text: &mut &[char], sign: i32, unit: &mut Unit) {
    let mut divides = false;
    while let Some((&first, rest)) = text.split_first() {
        match first {
            ')' => {
                *text = rest;
                return;
            }
            '·' | '*' | '.' | '⋅' | '×' => *text = rest,
            '/' => {
                *text = rest;
                divides = true;
            }
            '(' => {
                *text = rest;
                read_product(text, if divides { -sign } else { sign }, unit);
                divides = false;
            }
            _ => {
                let (symbol, power) = read_factor(text);
                let power = if divides { -power } else { power };
                divides = false;
                match symbol.parse::<f64>() {
                    Ok(number) => unit.scale *= number.powi(sign * power),
                    Err(_) => unit.multiply_joined(&symbol, sign * power),
                }
            }
        }
    }
}

/// Reads a symbol or a number with its exponent.
fn read_factor(text: &mut &[char]) -> (String, i32) {
    let is_number = |c: &char| c.is_ascii_digit();
    let is_letter = |c: &char| c.is_alphabetic() || matches!(c, '°' | '%' | 'Ω' | 'µ' | '_');
    let same = |c: &char| if is_number(&text[0]) { is_number(c) } else { is_letter(c) };
    // an odd character is a symbol of its own
    let end = text.iter().position(|c| !same(c)).unwrap_or(text.len()).max(1);
    let symbol = text[..end].iter().collect();
    let number = is_number(&text[0]);
    *text = &text[end..];
    (symbol, if number { 1 } else { read_power(text) })
}

fn read_power(text: &mut &[char]) -> i32 {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let mut digits = String::new();
    if text.first() == Some(&'^') {
        *text = &text[1..];
    }
    while let Some((first, rest)) = text.split_first() {
        let raised = RAISED.iter().position(|digit| digit == first);
        match first {
            '-' | '⁻' | '−' if digits.is_empty() => digits.push('-'),
            digit if digit.is_ascii_digit() => digits.push(*digit),
            _ => match raised {
                Some(digit) => digits += &digit.to_string(),
                None => break,
            },
        }
        *text = rest;
    }
    digits.parse().map_or(1, |power: i32| power.clamp(-MAX_POWER, MAX_POWER))
}

/// Returns scale and exponents of a symbol, with or without a prefix.
fn known(symbol: &str) -> Option<(f64, [i32; 4])> {
    let find = |name: &str| SYMBOLS.iter().find(|(known, ..)| *known == name);
    if let Some((_, scale, exponents)) = find(symbol) {
        return Some((*scale, *exponents));
    }
    PREFIXES.iter().find_map(|(prefix, factor)| {
        let name = symbol.strip_prefix(prefix).filter(|name| PREFIXED.contains(name))?;
        find(name).map(|(_, scale, exponents)| (factor * scale, *exponents))
    })
}

impl Unit {
    /// Multiplies by a symbol, or by two that are written without a sign between them, as in `Nm`.
    fn multiply_joined(&mut self, symbol: &str, power: i32) {
        let places = symbol.char_indices().map(|(place, _)| place).skip(1);
        let mut splits = places.map(|place| symbol.split_at(place));
        match splits.find(|(one, other)| known(one).is_some() && known(other).is_some()) {
            Some((one, other)) if known(symbol).is_none() => {
                // an exponent belongs to the last symbol
                self.multiply(one, power.signum());
                self.multiply(other, power);
            }
            _ => self.multiply(symbol, power),
        }
    }
}

#[cfg(test)]
mod tests;
