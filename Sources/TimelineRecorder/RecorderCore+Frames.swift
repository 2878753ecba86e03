import Synchronization
import TimelineModel
import TimelineStore

extension RecorderCore {
  /// Opens a frame. One that is still open is closed first.
  func beginFrame(_ state: FrameState) {
    guard !isOff.load(ordering: .relaxed) else { return }
    if let open = frames.pointee.open {
      if frameThread.load(ordering: .relaxed) != CallingThread.number {
        warnOnce(
          "frameThreads",
          "A thread opened a frame while another thread's was open, so poses may be in the wrong one. "
            + "Give the frames of a session from one thread at a time.", of: "frame", at: open.time)
      }
      endFrame()
    }
    frameThread.store(CallingThread.number, ordering: .relaxed)
    var kept = state
    var isFinite = true
    if let progress = state.progress, !progress.isFinite {
      (kept.progress, isFinite) = (nil, false)
    }
    if !state.contentOffset.isFinite { (kept.contentOffset, isFinite) = (.zero, false) }
    if !state.contentSize.isFinite { (kept.contentSize, isFinite) = (.zero, false) }
    if !isFinite {
      warnOnce(
        "nonFinite",
        "A frame's progress, content offset or content size is not finite. No progress and zeros "
          + "were kept instead.", of: "frame", at: state.time)
    }
    frames.pointee.begin(kept, itemCount: Int(itemCount.load(ordering: .relaxed)))
  }

  /// Sets an element's pose in the open frame, whatever stands in its way.
  @inline(never)
  func recordSlowly(_ pose: Pose, of item: ItemHandle, at indexPath: ItemIndexPath) {
    guard !isOff.load(ordering: .relaxed) else { return }
    guard item != LeftOutName.item else {
      return loseNameless(at: frames.pointee.open?.time ?? .zero)
    }
    precondition(
      UInt32(bitPattern: item.rawValue) < itemCount.load(ordering: .acquiring),
      "This element's number does not come from this recorder. Get it from itemHandle(for:).")
    guard let frame = frames.pointee.open else {
      return warnOnce(
        "noFrame", "A pose came outside of a frame and was left out. Call beginFrame(_:) first.",
        of: "pose", at: .zero)
    }
    let index = Int(item.rawValue)
    if index >= frames.pointee.openCount {
      frames.pointee.makeRoom(itemCount: Int(itemCount.load(ordering: .relaxed)))
    }
    if !frames.pointee.set(pose, indexPath, of: index) {
      warnOnce(
        "nonFinite",
        "The pose of element number \(item.rawValue) is not finite. The one before it was kept.",
        of: "item \(item.rawValue)", at: frame.time)
      frames.pointee.keep(index)
    }
  }

  /// Closes the open frame. A frame that does not fit is lost as a whole: the next one is then compared
  /// with the last that was kept, so nothing that is kept depends on what is lost.
  func endFrame() {
    guard !isOff.load(ordering: .relaxed), frames.pointee.prepare(),
      let time = frames.pointee.open?.time
    else { return }
    // Counting the words exactly costs a second way through the elements.
    var words = frames.pointee.mostWords
    if words > mostWordsUncounted { words = frames.pointee.words }
    let claim = Claim(words: words, what: .frame, time: time)
    var rows = 0
    let isStored = append(claim) { [frames] lane in
      let destination = lane.pointee.next
      let words = frames.pointee.store(
        into: destination, at: lane.pointee.head, salt: lane.pointee.salt)
      rows = Int(truncatingIfNeeded: destination[3] >> 32)
      return words
    }
    if isStored { frames.pointee.accept(rows: rows) } else { frames.pointee.discard() }
    deliverPendingTroubles()
  }

  /// Frames that may take more than an eighth of a ring are counted exactly.
  private var mostWordsUncounted: Int { Int(sharedLane.pointee.capacity / 8) }
}
