// The packed columns: whole numbers as Rice codes of their differences, most significant bit first.

/** A quotient of so many zero bits says that the number follows as it is. */
const escapeLength = 24;
const escapeBits = 56;
/** Bytes behind the last one, so that four can be read at once anywhere. */
const padding = 4;

class BitReader {
  /** @param bytes the packed bytes, and behind them `padding` more, whatever they are. */
  constructor(bytes) {
    this.bytes = bytes;
    this.words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = 0;
  }

  /** The next bits as a number; exact up to 2^53. */
  bits(count) {
    let value = 0;
    while (count > 0) {
      const left = 8 - (this.position & 7);
      const take = count < left ? count : left;
      const byte = this.bytes[this.position >> 3];
      value = value * (1 << take) + ((byte >> (left - take)) & ((1 << take) - 1));
      this.position += take;
      count -= take;
    }
    return value;
  }

  /** How many zero bits stand before the next one, which is passed too; at most `escapeLength`. */
  zeros() {
    let count = 0;
    while (count < escapeLength) {
      const left = 8 - (this.position & 7);
      const rest = this.bytes[this.position >> 3] & ((1 << left) - 1);
      if (rest === 0) {
        const take = Math.min(left, escapeLength - count);
        count += take;
        this.position += take;
        continue;
      }
      const lead = Math.clz32(rest) - 32 + left;
      if (count + lead >= escapeLength) {
        this.position += escapeLength - count;
        return escapeLength;
      }
      this.position += lead + 1;
      return count + lead;
    }
    return count;
  }

  /** A number of 0 or more by a Rice code. */
  rice(shift) {
    const quotient = this.zeros();
    return quotient === escapeLength
      ? this.bits(escapeBits) : quotient * 2 ** shift + this.bits(shift);
  }

  /** A signed number, its width before it. */
  signed() {
    return unfold(this.bits(this.bits(6)));
  }

  /** A count: its width before it. */
  count() {
    return this.bits(this.bits(6));
  }

  /** One of a column's numbers: how far its guess was off. */
  miss(shift) {
    // The next 25 bits or more at once: nearly every code ends within them.
    const word = this.words.getInt32(this.position >> 3) << (this.position & 7);
    const zeros = Math.clz32(word);
    if (zeros < escapeLength && zeros + 1 + shift <= 25) {
      this.position += zeros + 1 + shift;
      const folded = shift === 0 ? zeros : (zeros << shift) | ((word << (zeros + 1)) >>> (32 - shift));
      return (folded >>> 1) ^ -(folded & 1);
    }
    return unfold(this.rice(shift));
  }

  /** A column of so many numbers: one number where all are equal, else an array. */
  column(length) {
    if (length === 0) return 0;
    if (this.bits(1)) return this.signed();
    const order = this.bits(2);
    const shift = this.bits(6);
    const values = new Float64Array(length);
    // A guess goes by the last number, its growth, and the growth of that, as far as there are any.
    let last = this.signed();
    let [growth, bend] = [0, 0];
    values[0] = last;
    let i = 1;
    // The first ones, by which the guesses go, have their own width.
    for (; i < order && i < length; i++) {
      const miss = this.signed();
      if (i === 2) bend = miss;
      growth += miss;
      values[i] = last += growth;
    }
    if (order === 0) for (; i < length; i++) values[i] = this.miss(shift);
    else if (order === 1) for (; i < length; i++) values[i] = last += this.miss(shift);
    else if (order === 2) for (; i < length; i++) values[i] = last += growth += this.miss(shift);
    else for (; i < length; i++) values[i] = last += growth += bend += this.miss(shift);
    return values;
  }
}

/** 0, 1, 2, 3, … back to 0, -1, 1, -2, …. */
function unfold(value) {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}

/** The number at a place of a column. */
function cell(column, index) {
  return typeof column === "number" ? column : column[index];
}

/** Bytes from a part of a text in base64, and `padding` zeros behind them. */
function bytesOf(text, start, end) {
  const binary = atob(text.slice(start, end));
  const bytes = new Uint8Array(binary.length + padding);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** The last place in a rising list whose number is at most `value`; -1 before the first. */
function lastAtMost(list, value, numberOf = (one) => one) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numberOf(list[middle]) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
