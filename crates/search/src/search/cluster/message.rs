//! The messages that timely sends, checked before it reads them.
//!
//! A message has a header of six numbers of eight bytes, big-endian: the channel, the worker that sends it, the first
//! worker that receives it and the one after the last, the length of the body, and a number that nobody reads. Timely
//! trusts a sender: it keeps a message on a channel that does not exist, waits for all of a length, and panics at a body
//! that it cannot decode. So what no process of the engine sends is refused here, where the sender is known.
//!
//! A body is encoded as by bincode, with zeros up to a multiple of eight bytes. There is one channel for states, from
//! worker to worker, and one for progress, from a worker to all workers of a process.

use std::ops::Range;

/// The channel for states: timely numbers channels with operators, in the order in which [`Dataflow`](super::dataflow::Dataflow)
/// makes them.
const STATES: u64 = 3;
/// The channel for progress.
const PROGRESS: u64 = 6;
/// The number of operators, with the dataflow itself.
const OPERATORS: u64 = 4;

/// The size of a header.
const HEADER: usize = 48;
/// The greatest length of a body: a round sends some megabytes at most.
const MAX_BODY: u64 = 1 << 26;

/// The messages from one process to another.
#[derive(Clone)]
pub(super) struct Messages {
    /// The workers of the sender and of the receiver.
    sources: Range<u64>,
    targets: Range<u64>,
    /// True after the message that ends the stream.
    is_over: bool,
}

impl Messages {
    /// Returns the messages between processes with this many workers each.
    pub fn new(from: usize, to: usize, workers: usize) -> Messages {
        let of = |process: usize| (process * workers) as u64..((process + 1) * workers) as u64;
        Messages { sources: of(from), targets: of(to), is_over: false }
    }

    /// Returns the length of the first message in these bytes, 0 if it is not complete. Returns `None` if the bytes do not
    /// begin with a message.
    pub fn first(&mut self, bytes: &[u8]) -> Option<usize> {
        if self.is_over && !bytes.is_empty() {
            return None;
        }
        let Some((header, rest)) = bytes.split_at_checked(HEADER) else { return Some(0) };
        let (numbers, _) = header.as_chunks();
        let mut numbers = numbers.iter().map(|&number| u64::from_be_bytes(number));
        let [channel, source, first, end, length, _] = std::array::from_fn(|_| numbers.next().unwrap_or(0));
        if length == 0 {
            self.is_over = [channel, source, first, end] == [0; 4];
            return self.is_over.then_some(HEADER);
        }
        let is_sent = match channel {
            STATES => self.targets.contains(&first) && end == first + 1,
            PROGRESS => (first..end) == self.targets,
            _ => false,
        };
        if !is_sent || !self.sources.contains(&source) || length > MAX_BODY {
            return None;
        }
        let Some(body) = rest.get(..length as usize) else { return Some(0) };
        let mut body = Body(body);
        let skipped = if channel == STATES { body.skip_states(first) } else { body.skip_progress(source) };
        skipped?;
        body.is_padding().then_some(HEADER + length as usize)
    }
}

/// The rest of a body. Each method skips what it names, or returns `None` if that does not follow.
struct Body<'a>(&'a [u8]);

impl Body<'_> {
    fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    /// Returns the number of a variant.
    fn variant(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*number))
    }

    fn skip_numbers(&mut self, count: usize) -> Option<()> {
        self.0 = self.0.get(count * size_of::<u64>()..)?;
        Some(())
    }

    /// Skips a number of elements and the elements, of `size` bytes each. Returns their number.
    fn skip_array(&mut self, size: usize) -> Option<u64> {
        let count = self.number()?;
        self.0 = self.0.get(usize::try_from(count).ok()?.checked_mul(size)?..)?;
        Some(count)
    }

    /// Skips the origin, the timestamps and the messages of the [dataflow](super::dataflow) to a worker.
    fn skip_states(&mut self, to: u64) -> Option<()> {
        self.skip_numbers(2)?;
        self.skip_array(size_of::<u64>())?;
        for _ in 0..self.number()? {
            (self.number()? == to).then_some(())?;
            self.skip_numbers(1)?;
            match self.variant()? {
                0 => _ = self.skip_array(1)?,
                1 => self.skip_numbers(1)?,
                2 => _ = self.skip_array(size_of::<u64>())?,
                _ => return None,
            }
        }
        Some(())
    }

    /// Skips the source, a number, and changes: an operator, whether it is an input or an output, its number, a
    /// timestamp and a difference each; at last the number of the leading changes that are in order.
    fn skip_progress(&mut self, source: u64) -> Option<()> {
        (self.number()? == source).then_some(())?;
        self.skip_numbers(1)?;
        let changes = self.number()?;
        for _ in 0..changes {
            (self.number()? < OPERATORS && self.variant()? < 2 && self.number()? == 0).then_some(())?;
            self.skip_numbers(2)?;
        }
        (self.number()? <= changes).then_some(())
    }

    /// Returns whether only padding is left.
    fn is_padding(&self) -> bool {
        self.0.len() < size_of::<u64>() && self.0.iter().all(|&byte| byte == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(header: [u64; 4], body: &[u8]) -> Vec<u8> {
        let [channel, source, first, end] = header;
        let numbers = [channel, source, first, end, body.len() as u64, 0];
        [numbers.map(u64::to_be_bytes).concat(), body.to_vec()].concat()
    }

    /// Returns numbers of eight bytes, with those of four bytes in front of some of them, and padding.
    fn body(numbers: &[u64], variants: &[(usize, u32)]) -> Vec<u8> {
        let mut body = Vec::new();
        for (at, number) in numbers.iter().enumerate() {
            body.extend(
                variants.iter().filter(|(before, _)| *before == at).flat_map(|(_, variant)| variant.to_le_bytes()),
            );
            body.extend(number.to_le_bytes());
        }
        body.resize(body.len().next_multiple_of(8), 0);
        body
    }

    /// Returns a message with the end of a round for worker 1, and one with a change of progress.
    fn good() -> [Vec<u8>; 2] {
        let states = body(&[0, 0, 1, 7, 1, 1, 3, 9], &[(7, 1)]);
        let progress = body(&[2, 5, 1, 2, 0, 7, 1, 1], &[(4, 1)]);
        [message([STATES, 2, 1, 2], &states), message([PROGRESS, 2, 0, 2], &progress)]
    }

    #[test]
    fn whole_messages_are_admitted_one_by_one_until_the_end() {
        let [states, progress] = good();
        let end = message([0; 4], &[]);
        let bytes = [&states[..], &progress, &end].concat();
        for cut in 0..states.len() {
            assert_eq!(Messages::new(1, 0, 2).first(&bytes[..cut]), Some(0));
        }
        let mut messages = Messages::new(1, 0, 2);
        let mut rest = &bytes[..];
        for length in [states.len(), progress.len(), HEADER] {
            assert_eq!(messages.first(rest), Some(length));
            rest = &rest[length..];
        }
        assert_eq!(messages.first(rest), Some(0));
        assert_eq!(messages.first(&states), None, "nothing follows the end");
    }

    #[test]
    fn other_headers_and_bodies_are_refused() {
        let [states, progress] = good();
        let refused = |bytes: &[u8]| Messages::new(1, 0, 2).first(bytes).is_none();
        for (header, what) in [
            ([7, 2, 1, 2], "a channel that does not exist"),
            ([STATES, 0, 1, 2], "a worker of another process sends it"),
            ([STATES, 2, 3, 4], "a worker of another process receives it"),
            ([STATES, 2, 0, 2], "states go to one worker"),
            ([STATES, 2, 0, 1], "the states are of another worker"),
            ([PROGRESS, 2, 0, 1], "progress goes to all workers"),
            ([PROGRESS, 3, 0, 2], "the progress is of another worker"),
        ] {
            let body = if header[0] == PROGRESS { &progress } else { &states };
            assert!(refused(&message(header, &body[HEADER..])), "{what}");
        }
        let mut endless = states.clone();
        endless[32..40].copy_from_slice(&(MAX_BODY + 1).to_be_bytes());
        assert!(refused(&endless), "nobody waits for so much");
        for good in [&states, &progress] {
            let longer = [&good[HEADER..], &[0; 8]].concat();
            let header = if good == &states { [STATES, 2, 1, 2] } else { [PROGRESS, 2, 0, 2] };
            assert!(refused(&message(header, &longer)), "more than padding is left");
            assert!(refused(&message(header, &good[HEADER..good.len() - 8])), "an end is missing");
            assert!(refused(&message(header, &vec![0xff; good.len() - HEADER])));
        }
        assert!(refused(&[0xff; HEADER]) && refused(&message([1, 0, 0, 0], &[])));
    }
}
