import TestSupport
import Testing

@testable import TimelineRendering

@Suite struct PlayerKeyTests {
  private func keys(_ text: String) -> [PlayerKey] {
    var reader = PlayerKeyReader()
    return reader.read(Array(text.utf8)) + reader.flush()
  }

  @Test func `the sequences of xterm, rxvt and the Linux console are understood`() {
    #expect(keys("\u{1b}[C\u{1b}[D\u{1b}OC\u{1b}OD") == [.right, .left, .right, .left])
    #expect(
      keys("\u{1b}[1;2C\u{1b}[1;2D\u{1b}[c\u{1b}[d")
        == [.shiftRight, .shiftLeft, .shiftRight, .shiftLeft])
    #expect(
      keys("\u{1b}[H\u{1b}[F\u{1b}[1~\u{1b}[4~\u{1b}[7~\u{1b}[8~\u{1b}OH\u{1b}OF")
        == [.home, .end, .home, .end, .home, .end, .home, .end])
    #expect(
      keys("\t\u{1b}[Z q\u{3}\u{1a}\u{c}\u{1c}")
        == [
          .tab, .backTab, .character(" "), .character("q"), .interrupt, .suspend, .redraw,
          .interrupt,
        ])
  }

  @Test func `a sequence may come in pieces`() {
    var reader = PlayerKeyReader()
    #expect(reader.read([0x1b]) == [])
    #expect(reader.isWaiting)
    #expect(reader.read([0x5b, 0x31]) == [])
    #expect(reader.read([0x3b, 0x32, 0x43, 0x71]) == [.shiftRight, .character("q")])
    #expect(!reader.isWaiting)
  }

  @Test func `escape alone is one when nothing follows, or another escape`() {
    #expect(keys("\u{1b}") == [.escape])
    #expect(keys("\u{1b}\u{1b}[C") == [.escape, .right])
    #expect(keys("\u{1b}[") == [])
  }

  @Test func `what means nothing is skipped whole, and what follows counts`() {
    #expect(
      keys("\u{1b}[200~q\u{1b}[<0;1;1Mq\u{1b}xq") == [
        .character("q"), .character("q"), .character("q"),
      ])
    #expect(keys("é\u{0}\u{7f}漢q") == [.character("q")])
    #expect(keys("\u{1b}[" + String(repeating: "1", count: 100) + "q").last == .character("q"))
  }

  @Test func `random bytes in random pieces neither trap nor wait for ever`() {
    var random = SplitMix(seed: 6)
    for _ in 0..<2000 {
      var reader = PlayerKeyReader()
      for _ in 0..<Int(random.next() % 20) {
        _ = reader.read(
          (0..<Int(random.next() % 9)).map { _ in
            random.next() % 3 == 0 ? 0x1b : UInt8(truncatingIfNeeded: random.next())
          })
      }
      _ = reader.flush()
      #expect(reader.read([0x71]) == [.character("q")])
    }
  }
}
