//! The sections of a file before its data.

use std::collections::BTreeMap;
use std::fmt;

use crate::Problem;

/// Name of the format in messages.
pub(super) const FORMAT: &str = "OpenCRG";

/// Largest number of bytes before the data.
const MOST_BYTES: usize = 4 << 20;
/// Distance of rows and columns that the format defines, m.
const DEFAULT_INCREMENT: f64 = 0.01;
/// Value of `BORDER_MODE_U` and `BORDER_MODE_V` for a surface that continues with its last height.
const KEEP: f64 = 2.0;
/// Largest difference of numbers that should be equal, m and rad.
const SAME: f64 = 1e-3;

/// A column of the data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Channel {
    /// Heading of the reference line, rad.
    Heading,
    /// Slope of the reference line.
    Slope,
    /// Banking of the road.
    Banking,
    /// Heights at a distance to the left of the reference line, m.
    At(f64),
    /// Heights of a column by its number, from 1.
    Number(u32),
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Heading => f.write_str("reference line phi"),
            Self::Slope => f.write_str("reference line slope"),
            Self::Banking => f.write_str("reference line banking"),
            Self::At(v) => write!(f, "long section at v = {v}"),
            Self::Number(number) => write!(f, "long section {number}"),
        }
    }
}

/// Form of the numbers in the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Numbers in ASCII with a width in characters.
    Text(usize),
    /// IEEE numbers of 4 bytes, the highest byte first.
    Single,
    /// IEEE numbers of 8 bytes, the highest byte first.
    Double,
}

/// The sections before the data.
#[derive(Clone, Debug)]
pub(super) struct CrgHeader {
    /// Numbers of the section `$ROAD_CRG` with their lines.
    numbers: BTreeMap<String, (f64, usize)>,
    pub channels: Vec<Channel>,
    pub form: Form,
    /// First byte of the data.
    pub data: usize,
    /// Number of the first line of the data, from 1.
    pub line: usize,
    pub start: [f64; 2],
    pub end: Option<[f64; 2]>,
    pub start_height: f64,
    pub end_height: Option<f64>,
    pub slope: f64,
    pub banking: f64,
}

fn error(line: usize, text: impl fmt::Display) -> Problem {
    Problem::syntax(FORMAT, format!("line {line}: {text}"))
}

fn unsupported(line: usize, text: impl fmt::Display, remedy: &'static str) -> Problem {
    Problem::Unsupported { detail: format!("line {line}: {text}"), remedy }
}

/// A section that is being read.
#[derive(Clone, Copy, PartialEq)]
enum Section {
    None,
    Road,
    Definition,
    Options,
    Modifiers,
    File,
    Other,
}

impl Section {
    fn of(keyword: &str) -> Self {
        match keyword.to_ascii_uppercase().as_str() {
            "$ROAD_CRG" => Self::Road,
            "$KD_DEFINITION" => Self::Definition,
            "$ROAD_CRG_OPTS" => Self::Options,
            "$ROAD_CRG_MODS" => Self::Modifiers,
            "$ROAD_CRG_FILE" => Self::File,
            "$" => Self::None,
            _ => Self::Other,
        }
    }
}

impl CrgHeader {
    /// Reads the sections up to the line of dollar signs before the data.
    pub fn read(bytes: &[u8]) -> Result<Self, Problem> {
        let (mut numbers, mut channels, mut form) = (BTreeMap::new(), Vec::new(), Form::Single);
        let (mut section, mut at, mut line) = (Section::None, 0, 0);
        let data = loop {
            line += 1;
            let rest = bytes.get(at..).filter(|rest| !rest.is_empty() && at < MOST_BYTES);
            let Some(rest) = rest else {
                let text = "found no line of `$` before the data; expected $$$$";
                return Err(error(line, text));
            };
            let length = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |n| n + 1);
            // ISO 8859-1
            let text: String = rest[..length].iter().map(|byte| char::from(*byte)).collect();
            at += length;
            let text = text.trim_end();
            if text.starts_with("$$$$") {
                break at;
            }
            if text.starts_with('$') {
                let keyword = text.split([' ', '\t', '!']).next().unwrap_or("$");
                section = Section::of(keyword);
                if section == Section::File {
                    return Err(unsupported(
                        line,
                        "a reference to another file is not supported",
                        "name that file instead",
                    ));
                }
                continue;
            }
            let content = text.split('!').next().unwrap_or_default().trim();
            if content.is_empty() || content.starts_with('*') {
                continue;
            }
            match section {
                Section::Road => {
                    let (key, value) = entry(content, line)?;
                    numbers.insert(key, (value, line));
                }
                Section::Options => check_option(content, line)?,
                Section::Modifiers => {
                    return Err(unsupported(
                        line,
                        format!("the modifier `{content}` is not supported"),
                        "apply the modifiers and write the file again",
                    ));
                }
                Section::Definition => define(content, line, &mut channels, &mut form)?,
                Section::None | Section::File | Section::Other => {}
            }
        };
        let number = |key: &str| numbers.get(key).map(|(value, _)| *value);
        let pair = |x: &str, y: &str| number(x).zip(number(y)).map(|(x, y)| [x, y]);
        let header = Self {
            start: [number("reference_line_start_x"), number("reference_line_start_y")]
                .map(|value| value.unwrap_or(0.0)),
            end: pair("reference_line_end_x", "reference_line_end_y"),
            start_height: number("reference_line_start_z").unwrap_or(0.0),
            end_height: number("reference_line_end_z"),
            slope: number("reference_line_start_s").unwrap_or(0.0),
            banking: number("reference_line_start_b").unwrap_or(0.0),
            numbers,
            channels,
            form,
            data,
            line: line + 1,
        };
        header.check()?;
        Ok(header)
    }

    fn number(&self, key: &str) -> Option<(f64, usize)> {
        self.numbers.get(key).copied()
    }

    /// Reports channels that do not fit together, and ends that differ from their beginnings without a channel.
    fn check(&self) -> Result<(), Problem> {
        let count = self.places().len();
        if count < 2 {
            let text = format!(
                "found {count} channels of heights; expected at least 2 lines `D:long section …`"
            );
            return Err(Problem::syntax(FORMAT, text));
        }
        for (key, (value, line)) in &self.numbers {
            if key.starts_with("reference_line_offset_") && *value != 0.0 {
                return Err(unsupported(
                    *line,
                    format!("{key} = {value} is not supported"),
                    "leave it out and move the road with <dem_offset_x>, <dem_offset_y> and <dem_offset_z>",
                ));
            }
        }
        let by_number = |one: &Channel| matches!(one, Channel::Number(_));
        let by_place = |one: &Channel| matches!(one, Channel::At(_));
        if self.channels.iter().any(by_number) && self.channels.iter().any(by_place) {
            let text = "found columns by number and by position; expected one kind";
            return Err(Problem::syntax(FORMAT, text));
        }
        for (channel, start, end) in [
            (Channel::Slope, "reference_line_start_s", "reference_line_end_s"),
            (Channel::Banking, "reference_line_start_b", "reference_line_end_b"),
        ] {
            let start = self.number(start).map_or(0.0, |(value, _)| value);
            let Some((value, line)) = self.number(end) else { continue };
            if !self.channels.contains(&channel) && (value - start).abs() > SAME {
                let text = format!(
                    "{end} is {value}, and the line begins with {start}; expected a channel `{channel}`"
                );
                return Err(error(line, text));
            }
        }
        Ok(())
    }

    /// Returns the channels of heights in the order of their columns on the road.
    pub fn places(&self) -> Vec<usize> {
        let key = |place: &usize| match self.channels[*place] {
            Channel::At(v) => v,
            Channel::Number(number) => f64::from(number),
            _ => f64::NAN,
        };
        let mut places: Vec<usize> =
            (0..self.channels.len()).filter(|place| !key(place).is_nan()).collect();
        places.sort_by(|a, b| key(a).total_cmp(&key(b)));
        places
    }

    /// Returns the distances of the columns to the left of the reference line, m.
    pub fn columns(&self) -> Result<Vec<f64>, Problem> {
        let places = self.places();
        let last = (places.len() - 1) as f64;
        let [right, left, step] =
            ["long_section_v_right", "long_section_v_left", "long_section_v_increment"]
                .map(|key| self.number(key).map(|(value, _)| value));
        let step = step.or(right.zip(left).map(|(right, left)| (left - right) / last));
        let step = step.unwrap_or(DEFAULT_INCREMENT);
        let first = right.unwrap_or(-0.5 * step * last);
        let of = |(number, place): (usize, &usize)| match self.channels[*place] {
            Channel::At(v) => Ok(v),
            Channel::Number(given) if given as usize == number + 1 => {
                Ok(first + step * number as f64)
            }
            other => {
                let text = format!("found `{other}` in place of `long section {}`", number + 1);
                Err(Problem::syntax(FORMAT, text))
            }
        };
        let columns: Vec<f64> = places.iter().enumerate().map(of).collect::<Result<_, _>>()?;
        if columns.windows(2).any(|pair| pair[1] <= pair[0]) {
            let text = "two columns of heights are at the same place; expected increasing v";
            return Err(Problem::syntax(FORMAT, text));
        }
        if let Some((value, line)) = self.number("long_section_v_left")
            && (value - columns[columns.len() - 1]).abs() > SAME
        {
            let last = columns[columns.len() - 1];
            let text = format!("long_section_v_left is {value}; the last column is at {last}");
            return Err(error(line, text));
        }
        Ok(columns)
    }

    /// Returns the distance of the rows, m.
    pub fn increment(&self, rows: usize) -> Result<f64, Problem> {
        let start = self.number("reference_line_start_u").map_or(0.0, |(value, _)| value);
        let end = self.number("reference_line_end_u");
        let segments = (rows - 1) as f64;
        let given = self.number("reference_line_increment").map(|(value, _)| value);
        let step = given.or(end.map(|(end, _)| (end - start) / segments));
        let step = step.unwrap_or(DEFAULT_INCREMENT);
        if !(step > 0.0 && step.is_finite()) {
            let text = format!("the distance of rows is {step} m; expected more than 0");
            return Err(Problem::syntax(FORMAT, text));
        }
        if let Some((end, line)) = end
            && (start + step * segments - end).abs() > 0.5 * step
        {
            let expected = ((end - start) / step).round() + 1.0;
            let text = format!("found {rows} rows in the data; expected {expected} up to {end} m");
            return Err(error(line, text));
        }
        Ok(step)
    }

    /// Returns the heading of a straight reference line, rad.
    pub fn heading(&self) -> Result<f64, Problem> {
        let start = self.number("reference_line_start_phi").map(|(value, _)| value);
        let to_end = self.end.map(|end| (end[1] - self.start[1]).atan2(end[0] - self.start[0]));
        let heading = start.or(to_end).unwrap_or(0.0);
        if let Some((value, line)) = self.number("reference_line_end_phi")
            && ((value - heading).sin().abs() > SAME || (value - heading).cos() < 0.0)
        {
            let text = "the headings of the ends differ; expected a channel `reference line phi`";
            return Err(error(line, text));
        }
        Ok(heading)
    }
}

/// Splits `KEY = NUMBER`. The key becomes lower case.
fn entry(content: &str, line: usize) -> Result<(String, f64), Problem> {
    let Some((key, value)) = content.split_once('=') else {
        return Err(error(line, format!("found `{content}`; expected KEY = NUMBER")));
    };
    let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
    match value.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok((key, number)),
        _ => Err(error(line, format!("`{key}` is `{value}`; expected a number"))),
    }
}

/// Refuses options that change heights. Tolerances of checks have no effect.
fn check_option(content: &str, line: usize) -> Result<(), Problem> {
    let (key, value) = entry(content, line)?;
    let is_default = match key.as_str() {
        "border_mode_u" | "border_mode_v" => value == KEEP,
        "border_offset_u" | "border_offset_v" | "border_smooth_ubeg" | "border_smooth_uend" => {
            value == 0.0
        }
        _ => true,
    };
    if is_default {
        return Ok(());
    }
    let text = format!("the option {key} = {value} is not supported");
    Err(unsupported(line, text, "leave it out; the surface continues with its last height"))
}

/// Reads a line of the section `$KD_DEFINITION`.
fn define(
    content: &str,
    line: usize,
    channels: &mut Vec<Channel>,
    form: &mut Form,
) -> Result<(), Problem> {
    let Some((mark, rest)) = content.split_once(':') else { return Ok(()) };
    let rest = rest.trim();
    match mark.to_ascii_uppercase().as_str() {
        "#" => {
            *form = match rest.to_ascii_uppercase().as_str() {
                "LRFI" => Form::Text(10),
                "LDFI" => Form::Text(20),
                "KRBI" => Form::Single,
                "KDBI" => Form::Double,
                _ => {
                    let text =
                        format!("the data format is `{rest}`; expected LRFI, LDFI, KRBI or KDBI");
                    return Err(error(line, text));
                }
            };
        }
        "D" => {
            let found = channel(rest).ok_or_else(|| {
                let expected = "expected `reference line phi,rad`, `reference line slope,m/m`, `reference line \
                                banking,m/m`, `long section N,m` or `long section at v = X,m`";
                error(line, format!("unknown channel `{rest}`; {expected}"))
            })?;
            if channels.contains(&found) {
                return Err(error(line, format!("a second channel `{found}`")));
            }
            channels.push(found);
        }
        // a channel of kind U is computed from the others
        _ => {}
    }
    Ok(())
}

fn channel(text: &str) -> Option<Channel> {
    let (name, unit) = text.split_once(',')?;
    let words: Vec<String> =
        name.replace('=', " = ").split_whitespace().map(str::to_ascii_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match (words.as_slice(), unit.trim()) {
        (["reference", "line", "phi"], "rad") => Some(Channel::Heading),
        (["reference", "line", "slope"], "m/m") => Some(Channel::Slope),
        (["reference", "line", "banking"], "m/m") => Some(Channel::Banking),
        (["long", "section", "at", "v", "=", v], "m") => {
            v.parse().ok().filter(|v: &f64| v.is_finite()).map(Channel::At)
        }
        (["long", "section", number], "m") => number.parse().ok().map(Channel::Number),
        _ => None,
    }
}
