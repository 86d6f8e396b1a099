//! The input of a test.

use std::sync::Arc;

use simhost_abi::{Kind, Model, ParamKind, Plugin, param_flag};
use simhost_model::{ModelRef, ParamValue, View};
use simhost_registry::Refusal;
use simhost_sdk::Random;

use crate::draw;
use crate::instance::{Instance, Outcome, describe};
use crate::rig::Rig;

/// The result of opening the file of a plugin.
pub(crate) type Opened = Result<&'static View<Plugin>, Refusal>;

/// Number of rays above which a sensor is tested with smaller parameters, because the columns of its lanes
/// would take gigabytes.
const MANY_RAYS: usize = 4096;
/// Whole numbers up to which parameters are not made smaller.
const SMALL: f64 = 8.0;

/// A value of a parameter that the user gives, with its index in the declaration.
pub type GivenValue = (usize, ParamValue);

/// The input of a test of a model.
pub(crate) struct Case {
    pub class: ModelRef,
    pub model: &'static View<Model>,
    pub seed: u64,
    pub cases: u64,
    /// Values of parameters in place of their defaults.
    pub given: Vec<GivenValue>,
}

impl Case {
    /// Creates the input of a test with random cases from `seed` on.
    pub fn new(class: ModelRef, seed: u64, cases: u64) -> Self {
        Self { model: class.model, class, seed, cases, given: Vec::new() }
    }

    /// Returns the defaults, or the values that the user gives. Required parameters are drawn with `key`.
    fn defaults(&self, key: u64) -> Vec<ParamValue> {
        self.with_given(draw::defaults(draw::params(self.model), key), |_| true)
    }

    /// Draws all parameters. Texts and files that the user gives stay as they are, and a quarter of the other
    /// values that the user gives.
    pub fn drawn(&self, random: &mut Random) -> Vec<ParamValue> {
        let params = draw::params(self.model);
        let drawn = draw::drawn_all(params, random);
        self.with_given(drawn, |place| {
            draw::is_for_author(&params[place]) || random.bits().is_multiple_of(4)
        })
    }

    fn with_given(
        &self,
        mut values: Vec<ParamValue>,
        mut is_kept: impl FnMut(usize) -> bool,
    ) -> Vec<ParamValue> {
        for (place, value) in &self.given {
            if is_kept(*place) {
                values[*place].clone_from(value);
            }
        }
        values
    }

    /// Returns why the model cannot be tested: it rejects the values of required texts and files, which the user gives
    /// or which are drawn.
    pub fn lacks(&self) -> Option<String> {
        let is_given = |place: usize| self.given.iter().any(|(given, _)| *given == place);
        let params = draw::params(self.model).iter().enumerate();
        let required: Vec<_> = params.filter(|(_, param)| draw::is_missing(param)).collect();
        if required.is_empty() {
            return None;
        }
        let rejection = describe(&Instance::new(&self.class, &self.values()).err()?);
        let missing = required.iter().filter(|(place, _)| !is_given(*place));
        let names: Vec<_> = missing.map(|(_, param)| format!("`{}`", param.key())).collect();
        Some(match names.join(" and ") {
            names if names.is_empty() => {
                format!("`create` returned {rejection} for the values that are given")
            }
            names => format!(
                "missing value of {names}, for which no value can be drawn: `create` returned {rejection}"
            ),
        })
    }

    /// Returns the default parameters. Required ones are drawn until the model accepts them, and then
    /// all.
    pub fn values(&self) -> Vec<ParamValue> {
        let params = draw::params(self.model);
        let drawn = (1..=100).map(|key| self.defaults(key));
        let taken = |values: &Vec<ParamValue>| {
            Instance::new(&self.class, values).is_ok_and(|instance| instance.arranged().is_ok())
        };
        let required = params.iter().any(|param| param.flags & param_flag::REQUIRED != 0);
        let first = || self.defaults(1);
        if !required {
            return self.with_few_rays(first());
        }
        // parameters of which at least one has to be given have no default either
        let all = (1..=100).map(|key| self.drawn(&mut Random::new(key)));
        self.with_few_rays(drawn.chain(all).find(taken).unwrap_or_else(first))
    }

    /// Returns parameters of a sensor with which it casts few rays: its whole numbers are halved until it
    /// does, as long as it accepts them. Other parameters stay as they are.
    pub fn with_few_rays(&self, mut values: Vec<ParamValue>) -> Vec<ParamValue> {
        let rays = |values: &[ParamValue]| {
            let instance = Instance::new(&self.class, values).ok();
            instance.filter(|instance| instance.kind() == Kind::Sensor).map(|one| one.rays())
        };
        while rays(&values).is_some_and(|rays| rays > MANY_RAYS) {
            let params = draw::params(self.model).iter();
            let halved = params.zip(&values).map(|(param, value)| match (param.kind(), value) {
                (Some(ParamKind::Integer), ParamValue::Number(number)) if *number > SMALL => {
                    ParamValue::Number((0.5 * number).floor())
                }
                _ => value.clone(),
            });
            let halved: Vec<_> = halved.collect();
            if halved == values || rays(&halved).is_none() {
                break;
            }
            values = halved;
        }
        values
    }

    /// Creates an instance with default parameters.
    pub fn instance(&self) -> Outcome<Arc<Instance>> {
        Instance::accepted(&self.class, &self.values()).map(Arc::new)
    }

    /// Creates an instance with default parameters, and columns for its lanes.
    pub fn rig(&self, lanes: usize) -> Outcome<Rig> {
        Rig::new(&self.instance()?, lanes, self.seed)
    }

    /// Returns the seeds of the random cases.
    pub fn seeds(&self) -> impl Iterator<Item = u64> {
        let first = self.seed;
        (0..self.cases).map(move |case| first.wrapping_add(case))
    }
}
