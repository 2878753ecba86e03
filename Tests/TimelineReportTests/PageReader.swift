import Foundation
import JSONText
import TestSupport
import Testing
import TimelineModel

@testable import TimelineReport

/// Reads a page's data again, from the bytes of the page alone.
struct PageReader {
  let text: String

  init(_ page: ReportPage) { text = String(decoding: page.bytes, as: UTF8.self) }

  /// What stands in the script element of an id.
  func element(_ id: String) throws -> String {
    let start = try #require(text.range(of: "id=\"\(id)\">"))
    let rest = text[start.upperBound...]
    return String(rest[..<(try #require(rest.range(of: "</script>")).lowerBound)])
  }

  /// The JSON of an element.
  func json(_ id: String) throws -> JSONFields {
    try JSONReader(try parseJSON(Array(try element(id).utf8))).object()
  }

  /// The rows of a table of a run, each with the names of its columns.
  static func rows(of name: String, in header: JSONFields) throws -> [[String: JSONReader]] {
    let table = try header.required(name).object()
    let columns = try table.required("columns").array().map { try $0.string() }
    return try table.required("rows").array().map {
      Dictionary(uniqueKeysWithValues: zip(columns, try $0.array()))
    }
  }

  /// The frames of a run with their poses, unpacked.
  func frames(_ letter: String = "A") throws -> [UnpackedFrame] {
    let header = try json("run-\(letter)")
    let packed = Array(try element("data-\(letter)").utf8)
    var frames: [UnpackedFrame] = []
    for block in try header.required("frameBlocks").array() {
      let place = try block.numbers(count: 3).map { Int($0) }
      var bits = BitReader(base64: packed[place[0]..<(place[0] + place[1])])
      let columns = (0..<8).map { _ in bits.column(place[2]) }
      for row in 0..<place[2] {
        frames.append(
          UnpackedFrame(
            time: columns[0][row], phase: columns[1][row],
            progress: columns[2][row] == 1 ? Double(columns[3][row]) / 1_048_576 : nil,
            offset: Point2D(x: points(columns[4][row]), y: points(columns[5][row]))))
      }
    }
    for chunk in try header.required("chunks").array() {
      let place = try chunk.numbers(count: 5).map { Int($0) }
      var bits = BitReader(base64: packed[place[0]..<(place[0] + place[1])])
      try unpack(&bits, kept: place[4], first: place[2], into: &frames)
    }
    return frames
  }

  private func unpack(
    _ bits: inout BitReader, kept: Int, first: Int, into frames: inout [UnpackedFrame]
  ) throws {
    var item = -1
    for _ in 0..<bits.count() {
      item += bits.count() + 1
      var places: [Int] = []
      if bits.bits(1) == 1 {
        places = Array(0..<kept)
      } else {
        var (at, isIn) = (0, false)
        while at < kept {
          let run = bits.count()
          if isIn { places += at..<(at + run) }
          at += run
          isIn.toggle()
        }
      }
      let columns = (0..<7).map { _ in bits.column(places.count) }
      let matrix = (0..<[0, 6, 9][bits.bits(2)]).map { _ in bits.column(places.count) }
      for (row, place) in places.enumerated() {
        var pose = Pose(
          center: Point2D(x: points(columns[0][row]), y: points(columns[1][row])),
          size: Size2D(width: points(columns[2][row]), height: points(columns[3][row])),
          alpha: Double(columns[4][row]) / 4096, zIndex: Int(columns[5][row]),
          isHidden: columns[6][row] == 1)
        if !matrix.isEmpty {
          let turns = matrix.prefix(4).map { Double($0[row]) / 65536 }
          pose.transform = try #require(
            ElementTransform(components: turns + matrix[4..<6].map { points($0[row]) }))
        }
        frames[first + place].poses[item] = pose
        if matrix.count == 9 {
          frames[first + place].divisors[item] = matrix[6...].map { Double($0[row]) }
        }
      }
    }
  }

  private func points(_ steps: Int64) -> Double { Double(steps) / 1024 }
}

/// A frame as the page has it.
struct UnpackedFrame {
  var time: Int64
  var phase: Int64
  var progress: Double?
  var offset: Point2D
  var poses: [Int: Pose] = [:]
  /// The last three numbers of transforms in space, in the page's steps.
  var divisors: [Int: [Double]] = [:]
}

/// Reads packed bits, written anew from the description of the format.
struct BitReader {
  private var bytes: [UInt8] = []
  private var position = 0

  init(base64 letters: ArraySlice<UInt8>) {
    var (word, count): (UInt32, Int) = (0, 0)
    for letter in letters where letter != UInt8(ascii: "=") {
      let digit: UInt8 =
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - 48 + 52
        default: letter == UInt8(ascii: "+") ? 62 : 63
        }
      word = word << 6 | UInt32(digit)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(count)))
      }
    }
  }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func bits(_ count: Int) -> Int {
    var value = 0
    for _ in 0..<count {
      value = value << 1 | Int(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
      position += 1
    }
    return value
  }

  mutating func count() -> Int { bits(bits(6)) }

  mutating func signed() -> Int64 { unfolded(bits(bits(6))) }

  mutating func column(_ length: Int) -> [Int64] {
    guard length > 0 else { return [] }
    if bits(1) == 1 { return Array(repeating: signed(), count: length) }
    let (order, shift) = (bits(2), bits(6))
    var values = [signed()]
    while values.count < length {
      // The first ones, by which the guess goes, have their own width.
      let miss = values.count < order ? signed() : rice(shift)
      // Sums of differences: an order more each time, as far as there are numbers before.
      var differences = Array(values.suffix(min(order, values.count)))
      var guess: Int64 = 0
      while let last = differences.last {
        guess += last
        differences = zip(differences.dropFirst(), differences).map { $0 - $1 }
      }
      values.append(guess + miss)
    }
    return values
  }

  private mutating func rice(_ shift: Int) -> Int64 {
    var zeros = 0
    while zeros < 24, bits(1) == 0 { zeros += 1 }
    return unfolded(zeros == 24 ? bits(56) : zeros << shift | bits(shift))
  }

  private func unfolded(_ value: Int) -> Int64 {
    value % 2 == 1 ? Int64(-(value + 1) / 2) : Int64(value / 2)
  }
}
