//! Packed states and operators: a variable is a bit field, an operator is a few masks plus look-up tables.

pub(crate) mod operator_index;

use crate::search::Stored;
use crate::task::{Condition, CountRange, Disjunction, Goal, Never, Source, Task, Value, Values, Var, condition_on};
use engine_search::bit_set::Words;
use std::fmt::Debug;
use std::sync::Arc;

/// The bits of one variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Field {
    shift: u16,
    width: u8,
}

impl Field {
    pub fn bits(self) -> u32 {
        self.width.into()
    }

    /// Returns the value all bits of which are set.
    fn all(self) -> Value {
        (1 << self.width) - 1
    }

    /// Returns the value in the lowest bits of a number.
    pub fn low_bits(self, number: u64) -> Value {
        number as Value & self.all()
    }
}

/// The bits of adjacent fields; in long words they lie within one 64-bit word.
#[derive(Clone, Copy, Debug)]
pub struct BitSpan {
    shift: u16,
    bits: u8,
}

impl BitSpan {
    pub fn bits(self) -> usize {
        self.bits.into()
    }

    /// Extracts the value of a field from the bits of the span.
    pub fn value(self, bits: usize, field: Field) -> Value {
        (bits >> (field.shift - self.shift)) as Value & ((1 << field.width) - 1)
    }
}

/// A packed state.
pub trait Word: Stored<u32> + Ord + Debug {
    /// True if operators use masks. On long words they go field by field.
    const MASKS: bool;

    /// Returns a word of at least `bits` zero bits.
    fn zero(bits: usize) -> Self;
    fn get(&self, field: Field) -> Value;
    /// Returns the bits of a span.
    fn read(&self, span: BitSpan) -> usize;
    /// Writes a field that is zero.
    fn put(&mut self, field: Field, value: Value);
    /// Sets a field to zero.
    fn clear(&mut self, field: Field);
    /// Returns whether the word has these bits under a mask.
    fn matches(&self, mask: &Self, bits: &Self) -> bool;
    /// Returns `(self & keep | set) ^ flip`, where masks are supported.
    #[must_use]
    fn rewrite(&self, keep: &Self, set: &Self, flip: &Self) -> Self;
    /// Sets all bits that another word has.
    fn merge(&mut self, other: &Self);
    /// Returns the number of set bits under a mask.
    fn count(&self, mask: &Self) -> u32;
    /// Calls `visit` with each bit under a mask that differs from another word.
    fn for_each_difference(&self, other: &Self, mask: &Self, visit: impl FnMut(usize));
    /// Returns the bytes on the heap.
    fn heap_bytes(&self) -> usize {
        0
    }
}

macro_rules! word {
    ($word:ty) => {
        impl Word for $word {
            const MASKS: bool = true;

            fn zero(_bits: usize) -> Self {
                0
            }

            #[inline]
            fn get(&self, field: Field) -> Value {
                (*self >> field.shift) as Value & ((1 << field.width) - 1)
            }

            #[inline]
            fn read(&self, span: BitSpan) -> usize {
                (*self >> span.shift) as usize & ((1 << span.bits) - 1)
            }

            #[inline]
            fn put(&mut self, field: Field, value: Value) {
                *self |= <$word>::from(value) << field.shift;
            }

            #[inline]
            fn clear(&mut self, field: Field) {
                *self &= !((((1 as $word) << field.width) - 1) << field.shift);
            }

            #[inline]
            fn matches(&self, mask: &Self, bits: &Self) -> bool {
                self & mask == *bits
            }

            #[inline]
            fn rewrite(&self, keep: &Self, set: &Self, flip: &Self) -> Self {
                (self & keep | set) ^ flip
            }

            #[inline]
            fn merge(&mut self, other: &Self) {
                *self |= other;
            }

            #[inline]
            fn count(&self, mask: &Self) -> u32 {
                (self & mask).count_ones()
            }

            #[inline]
            fn for_each_difference(&self, other: &Self, mask: &Self, mut visit: impl FnMut(usize)) {
                let mut bits = (self ^ other) & mask;
                while bits != 0 {
                    visit(bits.trailing_zeros() as usize);
                    bits &= bits - 1;
                }
            }
        }
    };
}

word!(u64);
word!(u128);

/// The number of words of a state of 129 to 256 bits.
pub const WIDE: usize = 4;

/// Defines the methods that concern one field, which lies within one word of a state of several.
macro_rules! in_one_word {
    () => {
        #[inline]
        fn get(&self, field: Field) -> Value {
            self[usize::from(field.shift / 64)].get(Field { shift: field.shift % 64, ..field })
        }

        #[inline]
        fn read(&self, span: BitSpan) -> usize {
            self[usize::from(span.shift / 64)].read(BitSpan { shift: span.shift % 64, ..span })
        }

        #[inline]
        fn put(&mut self, field: Field, value: Value) {
            self[usize::from(field.shift / 64)].put(Field { shift: field.shift % 64, ..field }, value);
        }

        #[inline]
        fn clear(&mut self, field: Field) {
            self[usize::from(field.shift / 64)].clear(Field { shift: field.shift % 64, ..field });
        }
    };
}

impl Word for [u64; WIDE] {
    const MASKS: bool = true;

    fn zero(_bits: usize) -> Self {
        [0; WIDE]
    }

    in_one_word!();

    #[inline]
    fn matches(&self, mask: &Self, bits: &Self) -> bool {
        (0..WIDE).fold(0, |wrong, at| wrong | (self[at] & mask[at] ^ bits[at])) == 0
    }

    #[inline]
    fn rewrite(&self, keep: &Self, set: &Self, flip: &Self) -> Self {
        std::array::from_fn(|at| (self[at] & keep[at] | set[at]) ^ flip[at])
    }

    #[inline]
    fn merge(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
    }

    #[inline]
    fn count(&self, mask: &Self) -> u32 {
        self.iter().zip(mask).map(|(word, mask)| (word & mask).count_ones()).sum()
    }

    #[inline]
    fn for_each_difference(&self, other: &Self, mask: &Self, mut visit: impl FnMut(usize)) {
        for (at, (word, (other, mask))) in self.iter().zip(other.iter().zip(mask)).enumerate() {
            word.for_each_difference(other, mask, |bit| visit(at * 64 + bit));
        }
    }
}

impl Word for Box<[u64]> {
    const MASKS: bool = false;

    fn zero(bits: usize) -> Self {
        vec![0; bits.div_ceil(64)].into()
    }

    in_one_word!();

    fn matches(&self, mask: &Self, bits: &Self) -> bool {
        self.iter().zip(mask.iter().zip(bits.iter())).all(|(word, (mask, bits))| word & mask == *bits)
    }

    fn rewrite(&self, _keep: &Self, _set: &Self, _flip: &Self) -> Self {
        self.clone()
    }

    fn merge(&mut self, other: &Self) {
        self.iter_mut().zip(other.iter()).for_each(|(word, other)| *word |= other);
    }

    fn count(&self, mask: &Self) -> u32 {
        self.iter().zip(mask.iter()).map(|(word, mask)| (word & mask).count_ones()).sum()
    }

    fn for_each_difference(&self, other: &Self, mask: &Self, mut visit: impl FnMut(usize)) {
        for (at, (word, (other, mask))) in self.iter().zip(other.iter().zip(mask.iter())).enumerate() {
            word.for_each_difference(other, mask, |bit| visit(at * 64 + bit));
        }
    }

    fn heap_bytes(&self) -> usize {
        self.len() * 8
    }
}

/// The bit fields of a task's variables.
#[derive(Clone, Debug)]
pub struct StateLayout {
    pub fields: Vec<Field>,
    pub bits: usize,
    /// For each bit of a field, its variable.
    owners: Vec<u32>,
}

impl Field {
    /// Returns its only bit, if it has one.
    pub fn bit(self) -> Option<usize> {
        (self.width == 1).then_some(self.shift.into())
    }
}

impl StateLayout {
    /// Creates fields in the order of the variables. In words of more than 128 bits no field crosses a 64-bit boundary.
    pub fn new(task: &Task) -> StateLayout {
        let widths: Vec<usize> = (0..task.variables.len()).map(|var| width(task.size(var))).collect();
        let crosses = widths.iter().sum::<usize>() > 128;
        let mut bits = 0;
        let field = |width: usize| {
            if crosses && bits / 64 != (bits + width - 1) / 64 {
                bits = bits.next_multiple_of(64);
            }
            let field = Field { shift: bits as u16, width: width as u8 };
            bits += width;
            field
        };
        let fields: Vec<Field> = widths.into_iter().map(field).collect();
        let mut owners = vec![0; bits];
        for (var, field) in (0..).zip(&fields) {
            owners[field.shift.into()..usize::from(field.shift) + usize::from(field.width)].fill(var);
        }
        StateLayout { fields, bits, owners }
    }

    /// Returns the variable that a bit belongs to.
    #[inline]
    pub fn var_of_bit(&self, bit: usize) -> Var {
        self.owners[bit] as Var
    }

    pub fn pack<W: Word>(&self, state: &[Value]) -> W {
        let mut word = W::zero(self.bits);
        self.fields.iter().zip(state).for_each(|(&field, &value)| word.put(field, value));
        word
    }

    pub fn unpack<W: Word>(&self, word: &W, state: &mut [Value]) {
        self.fields.iter().zip(state).for_each(|(&field, value)| *value = word.get(field));
    }

    /// Returns a word without set bits for the parts of operators that are masks; an empty one where there are none.
    fn no_bits<W: Word>(&self) -> W {
        W::zero(if W::MASKS { self.bits } else { 0 })
    }

    /// Returns the bits from one variable to another, if they can be read at once.
    pub fn span(&self, first: Var, last: Var) -> Option<BitSpan> {
        let (first, last) = (self.fields[first], self.fields[last]);
        let end = last.shift + u16::from(last.width);
        let bits = u8::try_from(end - first.shift).ok().filter(|&bits| bits < 64)?;
        let crosses_word = self.bits > 128 && first.shift / 64 != (end - 1) / 64;
        (!crosses_word).then_some(BitSpan { shift: first.shift, bits })
    }

    /// Returns a mask of the fields of some variables.
    pub fn mask<W: Word>(&self, vars: impl Iterator<Item = Var>) -> W {
        let mut mask = W::zero(self.bits);
        vars.for_each(|var| mask.put(self.fields[var], self.fields[var].all()));
        mask
    }
}

/// Returns the number of bits for a number of values.
pub(crate) fn width(values: usize) -> usize {
    (usize::BITS - (values.max(2) - 1).leading_zeros()) as usize
}

/// A condition on a field.
#[derive(Clone, Debug)]
struct FieldTest {
    field: Field,
    /// The values below 64 that the field may have, as bits.
    near: u64,
    /// All of them, if it has greater ones.
    all: Option<Box<Values>>,
}

impl FieldTest {
    fn new(layout: &StateLayout, (var, values): &Condition) -> FieldTest {
        let field = layout.fields[*var];
        FieldTest { field, near: values.words().word(0), all: (field.width > 6).then(|| values.clone().into()) }
    }

    #[inline]
    fn holds<W: Word>(&self, word: &W) -> bool {
        let value = word.get(self.field);
        match &self.all {
            None => self.near >> (value % 64) & 1 == 1,
            Some(values) => values.contains(value),
        }
    }
}

/// A conjunction of conditions: a mask for single values, tests of the other fields.
#[derive(Clone, Debug)]
pub(crate) struct Test<W> {
    mask: W,
    bits: W,
    fields: Box<[FieldTest]>,
}

impl<W: Word> Test<W> {
    pub fn new<'a>(layout: &StateLayout, conditions: impl IntoIterator<Item = &'a Condition>) -> Test<W> {
        let single = |values: &Values| if W::MASKS { values.only() } else { None };
        let (mut mask, mut bits) = (layout.no_bits::<W>(), layout.no_bits::<W>());
        let mut fields = Vec::new();
        for condition in conditions {
            match single(&condition.1) {
                Some(value) => {
                    mask.put(layout.fields[condition.0], layout.fields[condition.0].all());
                    bits.put(layout.fields[condition.0], value);
                }
                None => fields.push(FieldTest::new(layout, condition)),
            }
        }
        Test { mask, bits, fields: fields.into() }
    }

    #[inline]
    pub fn holds(&self, word: &W) -> bool {
        word.matches(&self.mask, &self.bits)
            && (self.fields.is_empty() || self.fields.iter().all(|field| field.holds(word)))
    }
}

/// A write to a field.
#[derive(Clone, Debug)]
enum FieldWrite {
    Put(Field, Value),
    /// Copies another field.
    Copy(Field, Field),
    Table(Field, Field, Box<[Value]>),
}

/// A packed operator.
#[derive(Clone, Debug)]
pub struct Packed<W> {
    test: Test<W>,
    /// One alternative of each disjunction must hold.
    disjunctions: Box<[Box<[Test<W>]>]>,
    counts: Box<[CounterTest<W>]>,
    keep: W,
    set: W,
    flip: W,
    writes: Box<[FieldWrite]>,
    /// The `never` conditions that the operator's preconditions and effects do not rule out.
    never: Box<[NeverTest<W>]>,
    pub cost: u32,
}

impl<W: Word> Packed<W> {
    /// `counters` are those of the task.
    pub fn new(task: &Task, layout: &StateLayout, counters: &PackedCounters<W>, number: usize) -> Packed<W> {
        let operator = &task.operators[number];
        let (mut set, mut flip) = (layout.no_bits::<W>(), layout.no_bits::<W>());
        let mut writes = Vec::new();
        let mut flipped = Vec::new();
        for effect in &operator.effects {
            let field = layout.fields[effect.target];
            match &effect.source {
                Source::Value(value) if W::MASKS => set.put(field, *value),
                Source::Value(value) => writes.push(FieldWrite::Put(field, *value)),
                Source::Table(var, table) if W::MASKS && *var == effect.target && **table == [1, 0] => {
                    flip.put(field, 1);
                    flipped.push(*var);
                }
                Source::Table(var, table) => {
                    let from = layout.fields[*var];
                    writes.push(match effect.source.copied(|var| task.allowed(operator, var)) {
                        Some(_) => FieldWrite::Copy(from, field),
                        None => FieldWrite::Table(from, field, table.clone()),
                    });
                }
            }
        }
        let written = operator.changed().filter(|var| !flipped.contains(var));
        let mut keep = layout.no_bits::<W>();
        if W::MASKS {
            layout.fields.iter().for_each(|&field| keep.put(field, field.all()));
            written.for_each(|var| keep.clear(layout.fields[var]));
        }
        let never = task.never.iter().filter(|never| can_become_true(task, number, never));
        let never = never.map(|never| NeverTest::new(layout, counters, never)).collect();
        let test = Test::new(layout, &operator.conditions);
        let disjunctions =
            operator.disjunctions.iter().map(|any| any.iter().map(|all| Test::new(layout, all)).collect()).collect();
        let counts = counters.tests(&operator.counts);
        Packed { test, disjunctions, counts, keep, set, flip, writes: writes.into(), never, cost: operator.cost }
    }

    /// Returns whether the preconditions hold. `numbers` are those of this state.
    #[inline]
    pub fn holds(&self, word: &W, numbers: &mut Numbers) -> bool {
        self.test.holds(word)
            && (self.disjunctions.is_empty()
                || self.disjunctions.iter().all(|any| any.iter().any(|test| test.holds(word))))
            && (self.counts.is_empty() || self.counts.iter().all(|count| count.range.contains(numbers.of(count, word))))
    }

    /// Returns the successor; `None` if it equals the state or a `never` condition holds in it.
    #[inline]
    pub fn apply(&self, word: &W) -> Option<W> {
        let after = self.after(word);
        (self.allows(&after) && after != *word).then_some(after)
    }

    /// Returns whether no `never` condition holds in a successor.
    #[inline]
    pub fn allows(&self, after: &W) -> bool {
        self.never.is_empty() || !self.never.iter().any(|never| never.holds(after))
    }

    /// Returns the successor.
    #[inline]
    pub fn after(&self, word: &W) -> W {
        let mut after = word.rewrite(&self.keep, &self.set, &self.flip);
        if !self.writes.is_empty() {
            for write in &self.writes {
                let (field, value) = match write {
                    FieldWrite::Put(field, value) => (*field, *value),
                    FieldWrite::Copy(from, field) => (*field, word.get(*from)),
                    FieldWrite::Table(from, field, table) => (*field, table[usize::from(word.get(*from))]),
                };
                if !W::MASKS {
                    after.clear(field);
                }
                after.put(field, value);
            }
        }
        after
    }
}

/// Returns whether an operator can make a `never` condition true.
pub(crate) fn can_become_true(task: &Task, number: usize, never: &Never) -> bool {
    let operator = &task.operators[number];
    let counts = |var: Var| never.counts.iter().any(|range| condition_on(&task.counters[range.counter], var).is_some());
    let touches =
        never.conditions.iter().any(|(var, _)| operator.effect(*var).is_some()) || operator.changed().any(counts);
    let may_hold = |(var, values): &Condition| task.may_have_after(operator, *var, values);
    touches && never.conditions.iter().all(may_hold)
}

/// The packed counters of a task, which operators share.
pub struct PackedCounters<W>(Vec<Arc<PackedFacts<W>>>);

impl<W: Word> PackedCounters<W> {
    pub fn new(task: &Task, layout: &StateLayout) -> PackedCounters<W> {
        let counter = |counter: &Vec<Condition>| Arc::new(PackedFacts::new(task, layout, counter));
        PackedCounters(task.counters.iter().map(counter).collect())
    }

    fn tests(&self, counts: &[CountRange]) -> Box<[CounterTest<W>]> {
        counts.iter().map(|&range| CounterTest { facts: Arc::clone(&self.0[range.counter]), range }).collect()
    }
}

/// The test that a counter is within a range.
#[derive(Clone, Debug)]
struct CounterTest<W> {
    facts: Arc<PackedFacts<W>>,
    range: CountRange,
}

impl<W: Word> CounterTest<W> {
    #[inline]
    fn holds(&self, word: &W) -> bool {
        self.range.contains(self.facts.number(word))
    }
}

/// The values of the first counters in one state, each computed when it is first needed.
pub struct Numbers([u32; CACHED]);

/// The most counters whose values are kept.
const CACHED: usize = 4;

/// The value of a counter that is not known yet.
const UNKNOWN: u32 = u32::MAX;

impl Numbers {
    /// Begins with a state of which nothing is known.
    #[inline]
    pub(crate) fn new() -> Numbers {
        Numbers([UNKNOWN; CACHED])
    }

    #[inline]
    fn of<W: Word>(&mut self, count: &CounterTest<W>, word: &W) -> u32 {
        match self.0.get_mut(count.range.counter) {
            Some(number) => {
                if *number == UNKNOWN {
                    *number = count.facts.number(word);
                }
                *number
            }
            None => count.facts.number(word),
        }
    }
}

/// A packed `never` condition.
#[derive(Clone, Debug)]
pub(crate) struct NeverTest<W> {
    test: Test<W>,
    counts: Box<[CounterTest<W>]>,
}

impl<W: Word> NeverTest<W> {
    pub fn new(layout: &StateLayout, counters: &PackedCounters<W>, never: &Never) -> NeverTest<W> {
        NeverTest { test: Test::new(layout, &never.conditions), counts: counters.tests(&never.counts) }
    }

    #[inline]
    pub fn holds(&self, word: &W) -> bool {
        self.test.holds(word) && self.counts.iter().all(|count| count.holds(word))
    }
}

/// Facts of distinct variables that are counted.
#[derive(Clone, Debug)]
struct PackedFacts<W> {
    /// One-bit fields that count if they are set.
    bits: W,
    fields: Box<[FieldTest]>,
}

impl<W: Word> PackedFacts<W> {
    fn new(task: &Task, layout: &StateLayout, of: &[Condition]) -> PackedFacts<W> {
        let is_bit = |(var, values): &&Condition| task.size(*var) == 2 && *values == Values::one(1);
        let bits = layout.mask(of.iter().filter(is_bit).map(|&(var, _)| var));
        let fields = of.iter().filter(|fact| !is_bit(fact)).map(|fact| FieldTest::new(layout, fact));
        PackedFacts { bits, fields: fields.collect() }
    }

    /// Returns the number of facts that hold.
    #[inline]
    fn number(&self, word: &W) -> u32 {
        let fields = self.fields.iter().filter(|field| field.holds(word)).count();
        word.count(&self.bits) + fields as u32
    }
}

/// A packed goal.
#[derive(Clone, Debug)]
pub(crate) struct PackedGoal<W> {
    test: Test<W>,
    counts: Vec<PackedCount<W>>,
    disjunctions: Vec<Vec<Test<W>>>,
}

#[derive(Clone, Debug)]
struct PackedCount<W> {
    facts: PackedFacts<W>,
    least: u32,
    most: u32,
}

impl<W: Word> PackedGoal<W> {
    pub fn new(task: &Task, layout: &StateLayout, goal: &Goal) -> PackedGoal<W> {
        let count = |count: &crate::task::Count| PackedCount {
            facts: PackedFacts::new(task, layout, &count.of),
            least: count.least,
            most: count.most,
        };
        let alternatives = |any: &Disjunction| any.iter().map(|all| Test::new(layout, all)).collect();
        PackedGoal {
            test: Test::new(layout, &goal.conditions),
            counts: goal.counts.iter().map(count).collect(),
            disjunctions: goal.disjunctions.iter().map(alternatives).collect(),
        }
    }

    #[inline]
    pub fn holds(&self, word: &W) -> bool {
        self.test.holds(word)
            && self.counts.iter().all(|count| (count.least..=count.most).contains(&count.facts.number(word)))
            && self.disjunctions.iter().all(|any| any.iter().any(|test| test.holds(word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Variable;

    #[test]
    fn conditions_on_fields_of_every_width_hold_for_their_values() {
        let sizes = [2, 3, 64, 65, 600];
        let variable =
            |&size: &u32| Variable { name: String::new(), values: (0..size).map(|value| value.to_string()).collect() };
        let task = Task { variables: sizes.iter().map(variable).collect(), ..Task::default() };
        let layout = StateLayout::new(&task);
        for (var, size) in sizes.into_iter().enumerate() {
            let third: Values = (0..size as Value).filter(|value| value % 3 == 1).collect();
            for values in [third, Values::one(size as Value - 1), Values::below(size as usize)] {
                let test = Test::<u64>::new(&layout, &[(var, values.clone())]);
                for value in 0..size as Value {
                    let mut state = vec![1; sizes.len()];
                    state[var] = value;
                    assert_eq!(test.holds(&layout.pack(&state)), values.contains(value), "{value} of {size}");
                }
            }
        }
    }
}
