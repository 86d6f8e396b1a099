//! The reader of files of cases.

use simhost_planning::gear;

use super::RESULTS;

/// Columns of a file of cases.
pub const HEADER: [&str; 18] = [
    "model",
    "compat",
    "dt_s",
    "steps",
    "gear",
    "v0_mps",
    "slope_mps2",
    "u1",
    "u2",
    "u3",
    "params",
    "x_m",
    "y_m",
    "yaw_rad",
    "vx_mps",
    "ax_mps2",
    "steer_rad",
    "rtol",
];

/// A run of a model with constant inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanningCase {
    /// Line in the file.
    pub line: usize,
    /// Class of the model.
    pub model: String,
    /// Whether the model repeats Autoware 1.0.0.
    pub compat: bool,
    /// Time step, s.
    pub dt: f64,
    /// Number of steps.
    pub steps: u64,
    /// Number of the gear.
    pub gear: u8,
    /// Speed at the start, m/s.
    pub speed: f64,
    /// Acceleration by the slope, m/s².
    pub slope: f64,
    /// Inputs in the order of the model, without gear and slope.
    pub inputs: [f64; 3],
    /// Names and values of parameters.
    pub params: Vec<(String, String)>,
    /// Expected results in the order of [`RESULTS`], where they are compared.
    pub results: [Option<f64>; RESULTS.len()],
    /// Relative tolerance.
    pub tolerance: f64,
}

/// An error in a file of cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseError {
    /// Line, from 1.
    pub line: usize,
    /// Description of the error.
    pub reason: Reason,
}

/// Why a file of cases cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The file is empty.
    Empty,
    /// The columns differ from the format.
    Header(String),
    /// A row has fewer or more cells than there are columns.
    Cells(usize),
    /// A cell is not a value of its column.
    Value {
        /// Name of the column.
        column: &'static str,
        /// Text of the cell.
        found: String,
        /// Description of the valid values.
        expected: String,
    },
    /// The world of the case cannot be built or run.
    World(String),
}

impl std::fmt::Display for CaseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.reason {
            Reason::Empty => {
                write!(f, "the file is empty; expected the header {}", HEADER.join(","))
            }
            Reason::Header(found) => {
                write!(f, "unknown header: {found}; expected {}", HEADER.join(","))
            }
            Reason::Cells(found) => {
                write!(f, "the row has {found} cells; expected {}", HEADER.len())
            }
            Reason::Value { column, found, expected } => {
                write!(f, "{column} is `{found}`; expected {expected}")
            }
            Reason::World(text) => write!(f, "{text}"),
        }
    }
}

impl std::error::Error for CaseError {}

/// Reads the cases of a file. Empty lines, and lines that start with `#`, are skipped.
///
/// # Errors
///
/// [`CaseError`] with the line of the first error.
pub fn read(text: &str) -> Result<Vec<PlanningCase>, CaseError> {
    let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
    let mut rows = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let (line, head) = rows.next().ok_or(CaseError { line: 1, reason: Reason::Empty })?;
    if head.split(',').map(str::trim).ne(HEADER) {
        return Err(CaseError { line, reason: Reason::Header(head.to_owned()) });
    }
    rows.map(|(line, row)| case(line, row).map_err(|reason| CaseError { line, reason })).collect()
}

fn case(line: usize, row: &str) -> Result<PlanningCase, Reason> {
    let cells: Vec<&str> = row.split(',').map(str::trim).collect();
    let cells: [&str; HEADER.len()] =
        cells.try_into().map_err(|cells: Vec<&str>| Reason::Cells(cells.len()))?;
    let row = Row(cells);
    let mut results = [None; RESULTS.len()];
    for (result, at) in results.iter_mut().zip(11..) {
        *result = row.number(at)?;
    }
    let compat = match row.0[1] {
        "0" | "" => false,
        "1" => true,
        _ => return Err(row.wrong(1, "0 or 1")),
    };
    let positive = |at: usize, otherwise: f64| match row.number(at)? {
        Some(number) if number > 0.0 => Ok(number),
        None => Ok(otherwise),
        Some(_) => Err(row.wrong(at, "a number above 0")),
    };
    let steps = match row.0[3] {
        "" => 60,
        text => text.parse().map_err(|_| row.wrong(3, "a number of steps"))?,
    };
    let input = |at: usize| Ok(row.number(at)?.unwrap_or(0.0));
    Ok(PlanningCase {
        line,
        model: row.0[0].to_owned(),
        compat,
        dt: positive(2, 0.025)?,
        steps,
        gear: row.gear()?,
        speed: input(5)?,
        slope: input(6)?,
        inputs: [input(7)?, input(8)?, input(9)?],
        params: row.params()?,
        results,
        tolerance: positive(17, 1e-9)?,
    })
}

/// The cells of a row.
struct Row<'a>([&'a str; HEADER.len()]);

impl Row<'_> {
    fn wrong(&self, at: usize, expected: &str) -> Reason {
        let (found, expected) = (self.0[at].to_owned(), expected.to_owned());
        Reason::Value { column: HEADER[at], found, expected }
    }

    fn number(&self, at: usize) -> Result<Option<f64>, Reason> {
        if self.0[at].is_empty() {
            return Ok(None);
        }
        let number = self.0[at].parse::<f64>().ok().filter(|number| number.is_finite());
        number.map(Some).ok_or_else(|| self.wrong(at, "a finite number"))
    }

    fn gear(&self) -> Result<u8, Reason> {
        if self.0[4].is_empty() {
            return Ok(gear::DRIVE as u8);
        }
        gear::number(self.0[4]).ok_or_else(|| {
            let names: Vec<&str> = gear::NAMES.iter().map(|(name, _)| *name).collect();
            self.wrong(4, &format!("one of {}", names.join(", ")))
        })
    }

    fn params(&self) -> Result<Vec<(String, String)>, Reason> {
        let parts = self.0[10].split(';').map(str::trim).filter(|part| !part.is_empty());
        parts
            .map(|part| {
                let (name, value) =
                    part.split_once('=').ok_or_else(|| self.wrong(10, "name=value;name=value"))?;
                Ok((name.trim().to_owned(), value.trim().to_owned()))
            })
            .collect()
    }
}
