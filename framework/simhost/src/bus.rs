//! Messages between user code of a session: publish and subscribe, and questions by name.

use std::any::{Any, TypeId};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Channels for messages and services, each with a name and a type. Clones refer to the same channels.
///
/// A message is delivered to all subscribers in the order of their subscription before the next message
/// is. Messages that a subscriber publishes wait until then, so the order of deliveries depends only on
/// the order of the calls.
///
/// ```
/// # use simhost::Bus;
/// let bus = Bus::default();
/// let station = bus.clone();
/// bus.subscribe("goal", move |goal: &[f64; 2]| station.publish("reached", goal[0]));
/// bus.subscribe("reached", |x: &f64| assert_eq!(*x, 3.0));
/// bus.publish("goal", [3.0, 4.0]);
///
/// bus.offer("temperature", || 21.5);
/// assert_eq!(bus.ask::<f64>("temperature"), Some(21.5));
/// bus.withdraw("temperature");
/// assert_eq!(bus.ask::<f64>("temperature"), None);
/// ```
#[derive(Clone, Default)]
pub struct Bus {
    state: Arc<Mutex<BusState>>,
}

/// Identification of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subscription(u64);

type Receiver = Arc<Mutex<dyn FnMut(&dyn Any) + Send>>;
type Provider = Arc<Mutex<dyn FnMut() -> Box<dyn Any> + Send>>;

#[derive(Default)]
struct BusState {
    count: u64,
    subscribers: Vec<Subscriber>,
    providers: BTreeMap<String, (TypeId, Provider)>,
    waiting: VecDeque<(String, Box<dyn Any + Send>)>,
    is_delivering: bool,
}

struct Subscriber {
    id: Subscription,
    channel: String,
    kind: TypeId,
    receiver: Receiver,
}

impl Bus {
    /// Calls `receive` with every message of this type that is published on a channel from now on.
    pub fn subscribe<T: Any + Send>(
        &self,
        channel: &str,
        mut receive: impl FnMut(&T) + Send + 'static,
    ) -> Subscription {
        let receiver = move |message: &dyn Any| {
            if let Some(message) = message.downcast_ref() {
                receive(message);
            }
        };
        let mut state = self.lock();
        state.count += 1;
        let id = Subscription(state.count);
        state.subscribers.push(Subscriber {
            id,
            channel: channel.to_owned(),
            kind: TypeId::of::<T>(),
            receiver: Arc::new(Mutex::new(receiver)),
        });
        id
    }

    /// Ends a subscription, at once. Returns whether there was one.
    pub fn unsubscribe(&self, id: Subscription) -> bool {
        let mut state = self.lock();
        let before = state.subscribers.len();
        state.subscribers.retain(|subscriber| subscriber.id != id);
        state.subscribers.len() < before
    }

    /// Delivers a message to the subscribers of a channel that expect its type, on this thread, or after
    /// the messages that are being delivered.
    pub fn publish<T: Any + Send>(&self, channel: &str, message: T) {
        {
            let mut state = self.lock();
            state.waiting.push_back((channel.to_owned(), Box::new(message)));
            if std::mem::replace(&mut state.is_delivering, true) {
                return;
            }
        }
        // a subscriber that panics must not block the channels
        let _delivering = Delivering(self);
        loop {
            let next = self.lock().waiting.pop_front();
            let Some((channel, message)) = next else { return };
            self.deliver(&channel, &*message);
        }
    }

    fn deliver(&self, channel: &str, message: &(dyn Any + Send)) {
        let kind = message.type_id();
        let is_for = |one: &&Subscriber| one.channel == channel && one.kind == kind;
        let receivers: Vec<(Subscription, Receiver)> = {
            let state = self.lock();
            let found = state.subscribers.iter().filter(is_for);
            found.map(|one| (one.id, one.receiver.clone())).collect()
        };
        for (id, receiver) in receivers {
            // another receiver may have ended the subscription
            let is_subscribed = self.lock().subscribers.iter().any(|one| one.id == id);
            if is_subscribed && let Ok(mut receive) = receiver.try_lock() {
                (*receive)(message);
            }
        }
    }

    /// Answers queries for a name from now on, and replaces the previous function.
    pub fn offer<T: Any>(&self, name: &str, mut provider: impl FnMut() -> T + Send + 'static) {
        let answer = move || Box::new(provider()) as Box<dyn Any>;
        let provider: Provider = Arc::new(Mutex::new(answer));
        self.lock().providers.insert(name.to_owned(), (TypeId::of::<T>(), provider));
    }

    /// Ends the answers for a name. Returns whether there was a provider.
    pub fn withdraw(&self, name: &str) -> bool {
        self.lock().providers.remove(name).is_some()
    }

    /// Returns the answer for a name; `None` if nothing answers it with this type, or if the provider is
    /// answering it already.
    pub fn ask<T: Any>(&self, name: &str) -> Option<T> {
        let provider = {
            let state = self.lock();
            let (kind, provider) = state.providers.get(name)?;
            (*kind == TypeId::of::<T>()).then(|| provider.clone())?
        };
        let answer = (provider.try_lock().ok()?)();
        answer.downcast().ok().map(|answer| *answer)
    }

    fn lock(&self) -> MutexGuard<'_, BusState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends a delivery when it is dropped.
struct Delivering<'b>(&'b Bus);

impl Drop for Delivering<'_> {
    fn drop(&mut self) {
        self.0.lock().is_delivering = false;
    }
}
