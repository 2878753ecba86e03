import Foundation
import Testing
import TimelineModel

@testable import TimelineReport

struct ReportFilmTests {
  /// What the page reads: times and JPEGs.
  private func read(_ film: ReportFilm) throws -> (times: [Int64], pictures: [Data]) {
    var bytes: [UInt8] = []
    film.append(to: &bytes)
    struct Film: Decodable {
      var t: [Int64]
      var pictures: [String]
    }
    let read = try JSONDecoder().decode(Film.self, from: Data(bytes))
    return (read.t, read.pictures.compactMap { Data(base64Encoded: $0) })
  }

  private func film(_ count: Int, byteLimit: Int) -> ReportFilm {
    var film = ReportFilm(byteLimit: byteLimit)
    for number in 0..<count {
      film.add(
        [UInt8](repeating: UInt8(number), count: 30),
        at: Instant(nanoseconds: Int64(number) * 16_666_667))
    }
    return film
  }

  @Test func `pictures that fit are all in the page, each at its own time`() throws {
    let film = film(5, byteLimit: 200)
    #expect(film.stride == 1)
    let read = try read(film)
    #expect(read.times == (0..<5).map { $0 * 16_666_667 })
    #expect(read.pictures.map { $0.first } == [0, 1, 2, 3, 4])
    #expect(read.pictures.allSatisfy { $0.count == 30 })
  }

  @Test(arguments: [(6, 200, 2), (16, 200, 4), (17, 200, 4), (21, 200, 8), (100, 200, 32)])
  func `of too many pictures one of 2, 4, 8 is kept, from the first on`(
    count: Int, byteLimit: Int, stride: Int
  ) throws {
    let film = film(count, byteLimit: byteLimit)
    #expect(film.stride == stride)
    let kept = try read(film).pictures.map { Int($0[0]) }
    #expect(kept == Array(Swift.stride(from: 0, to: count, by: stride)))
  }

  @Test func `one picture is in the page, however large it is`() throws {
    let film = film(3, byteLimit: 10)
    #expect(try read(film).pictures.count == 1)
  }
}
