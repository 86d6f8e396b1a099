//! The input of a test.

use std::sync::Arc;

use simhost_abi::{Kind, Model, ParamKind, Plugin, param_flag};
use simhost_model::{ModelRef, ParamValue, View};
use simhost_registry::Refusal;
use simhost_sdk::Random;

use crate::draw;
use crate::instance::Instance;
use crate::rig::Rig;
use crate::verdict::Outcome;

/// The result of opening the file of a plugin.
pub(crate) type Opened = Result<&'static View<Plugin>, Refusal>;

/// Number of rays above which a sensor is tested with smaller parameters, because the columns of its lanes
/// would take gigabytes.
const MANY_RAYS: usize = 4096;
/// Whole numbers up to which parameters are not made smaller.
const SMALL: f64 = 8.0;

/// The input of a test of a model.
pub(crate) struct Case {
    pub class: ModelRef,
    pub model: &'static View<Model>,
    pub seed: u64,
    pub cases: u64,
}

impl Case {
    /// Creates the input of a test with random cases from `seed` on.
    pub fn new(class: ModelRef, seed: u64, cases: u64) -> Self {
        Self { model: class.model, class, seed, cases }
    }

    /// Returns the default parameters. Required ones are drawn until the model accepts them, and then
    /// all.
    pub fn values(&self) -> Vec<ParamValue> {
        let params = draw::params(self.model);
        let drawn = (1..=100).map(|key| draw::defaults(params, key));
        let taken = |values: &Vec<ParamValue>| {
            Instance::new(&self.class, values).is_ok_and(|instance| instance.arranged().is_ok())
        };
        let required = params.iter().any(|param| param.flags & param_flag::REQUIRED != 0);
        let first = || draw::defaults(params, 1);
        if !required {
            return self.with_few_rays(first());
        }
        // parameters of which at least one has to be given have no default either
        let all = (1..=100).map(|key| draw::drawn_all(params, &mut Random::new(key)));
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
