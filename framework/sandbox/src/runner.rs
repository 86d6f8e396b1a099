//! A module instance with the areas of its memory that the host uses.
//!
//! The host adds pages to the memory and keeps what it passes to the module there, so that a module needs no function that
//! allocates.

use simhost_abi::{Fault, fault_code};

use crate::engine::{
    CallContext, Code, Export, Guest, MAX_MEMORY, OutOfBounds, PAGE, Trap, read_items, read_u32,
};
use crate::shapes::shapes;

/// A part of the memory of a module that the host has added.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Area {
    pub at: u32,
    pub size: usize,
}

/// A module instance.
pub(crate) struct Runner {
    pub guest: Box<dyn Guest>,
    /// Area for the arguments of functions other than phases.
    arguments: Area,
    /// Address of the services for calls.
    pub services: u32,
    /// Reason why the instance cannot be called any more.
    broken: Option<String>,
}

impl Runner {
    /// Creates an instance and prepares it.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn new(code: &dyn Code) -> Result<Self, String> {
        let guest = code.instantiate()?;
        let mut runner = Self { guest, arguments: Area::default(), services: 0, broken: None };
        if runner.guest.has(Export::Initialize) {
            runner
                .call(Export::Initialize, &[], &CallContext::NONE)
                .map_err(|fault| fault.message())?;
        }
        let services = runner.call(Export::Services, &[], &CallContext::NONE);
        runner.services = services.map_err(|fault| fault.message())?;
        Ok(runner)
    }

    /// Returns whether the module says how many lanes of a call that traps were complete.
    pub fn reports_progress(&self) -> bool {
        self.guest.has(Export::Cause)
    }

    /// Calls a function. After a trap, the instance can be called again, and the fault is the cause of the trap.
    ///
    /// # Errors
    /// The fault, whose lane is the first one that the module reports as incomplete.
    pub fn call(
        &mut self,
        export: Export,
        arguments: &[u32],
        context: &CallContext,
    ) -> Result<u32, Fault> {
        if let Some(reason) = &self.broken {
            return Err(Fault::new(fault_code::PANIC, reason));
        }
        self.guest.call(export, arguments, context).map_err(|trap| self.recover(&trap))
    }

    /// Replaces the instance after a trap and returns the fault that the trap means.
    fn recover(&mut self, trap: &Trap) -> Fault {
        let own = Fault::new(fault_code::PANIC, &trap.0);
        if let Err(reason) = self.guest.reset() {
            self.broken = Some(format!("{}; its module cannot be created again: {reason}", trap.0));
            return own;
        }
        if !self.guest.has(Export::Cause) {
            return own;
        }
        let cause = self.guest.call(Export::Cause, &[], &CallContext::NONE);
        match cause.ok().and_then(|at| self.fault(at).ok()) {
            Some(cause) if cause.code != fault_code::NONE => cause,
            _ => own,
        }
    }

    /// Returns an area with at least this size.
    ///
    /// # Errors
    /// If the memory would exceed its limit.
    pub fn area(&mut self, before: Area, size: usize) -> Result<Area, String> {
        if size <= before.size {
            return Ok(before);
        }
        if size > MAX_MEMORY {
            return Err(format!("it needs {size} bytes of memory, expected at most {MAX_MEMORY}"));
        }
        // later requests are often a little larger
        let pages = (size + size / 2).div_ceil(PAGE);
        Ok(Area { at: self.guest.grow(pages)?, size: pages * PAGE })
    }

    /// Returns an area for arguments, which the next call of this function replaces: a fault, a pointer, and then the number
    /// of bytes requested.
    ///
    /// # Errors
    /// As for [`Self::area`].
    pub fn arguments(&mut self, bytes: usize) -> Result<Arguments, Fault> {
        let refused = |reason: String| Fault::new(fault_code::REFUSED, &reason);
        let head = shapes().get("Fault").size + 8;
        self.arguments = self.area(self.arguments, head + bytes).map_err(refused)?;
        let at = self.arguments.at;
        self.guest
            .write(at, &vec![0; head])
            .map_err(|_| refused("its memory has shrunk".into()))?;
        Ok(Arguments { fault: at, pointer: at + head as u32 - 8, rest: at + head as u32 })
    }

    /// Reads a fault.
    pub fn fault(&mut self, at: u32) -> Result<Fault, OutOfBounds> {
        const WORDS: usize = size_of::<Fault>() / 8;
        let words: Vec<u64> = read_items(&mut *self.guest, at, WORDS)?;
        // SAFETY: a fault has the same layout in a module, and any bytes are one.
        Ok(unsafe { words.as_ptr().cast::<Fault>().read() })
    }

    /// Calls a function that writes a pointer or a fault to its arguments, and returns the pointer.
    ///
    /// # Errors
    /// The fault with its code.
    pub fn created(
        &mut self,
        export: Export,
        call: &[u32],
        arguments: Arguments,
    ) -> Result<u32, Fault> {
        let code = self.call(export, call, &CallContext::NONE)?;
        self.checked(code, arguments.fault)?;
        self.number(arguments.pointer)
    }

    /// Returns the result of a function that returns a code and writes a fault.
    ///
    /// # Errors
    /// The fault with its code.
    pub fn checked(&mut self, code: u32, fault: u32) -> Result<(), Fault> {
        if code == fault_code::NONE {
            return Ok(());
        }
        let found = self.fault(fault).unwrap_or(Fault::NONE);
        Err(Fault { code, ..found })
    }

    /// Reads a number of 32 bits that the host has placed.
    pub fn number(&mut self, at: u32) -> Result<u32, Fault> {
        read_u32(&mut *self.guest, at).map_err(|_| out_of_memory())
    }

    /// Writes bytes to an area of the host.
    pub fn write(&mut self, at: u32, bytes: &[u8]) -> Result<(), Fault> {
        self.guest.write(at, bytes).map_err(|_| out_of_memory())
    }
}

/// Addresses of the arguments of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arguments {
    /// A fault.
    pub fault: u32,
    /// A pointer that the function writes.
    pub pointer: u32,
    /// Further bytes.
    pub rest: u32,
}

pub(crate) fn out_of_memory() -> Fault {
    Fault::new(fault_code::PANIC, "an address is outside of the memory of its module")
}

/// Writes the fault of a call, if there is one, and returns its code.
///
/// # Safety
/// `fault` is null or can be written.
pub(crate) unsafe fn settle(outcome: Result<(), Fault>, fault: *mut Fault) -> u32 {
    let Err(found) = outcome else { return fault_code::NONE };
    if !fault.is_null() {
        // SAFETY: promised by the caller.
        unsafe { fault.write(found) };
    }
    found.code
}
