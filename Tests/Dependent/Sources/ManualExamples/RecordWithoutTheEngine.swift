../../ ../ KymographTests / RecordWithoutTheEngine.swift
