package io.tidemark.core.metrics;

/**
 * Counters of the core under Mooncake's names (objects specification, section 22), and our own with
 * prefix tidemark_.
 */
public enum CoreMetric {
  PUT_START_ALLOC_FAILURES("master_put_start_alloc_failures_total"),
  PUT_START_PARTIAL_ALLOCATIONS("master_put_start_partial_allocations_total"),
  PUT_START_ALREADY_EXISTS("master_put_start_object_already_exists_total"),
  BATCH_PUT_START_ALREADY_EXISTS("master_batch_put_start_object_already_exists_total"),
  DISCARD_COUNT("master_put_start_discard_cnt"),
  RELEASE_COUNT("master_put_start_release_cnt"),
  DISCARDED_STAGING_BYTES("master_put_start_discarded_staging_size"),
  MEM_CACHE_HITS("mem_cache_hit_nums_"),
  MEM_CACHE_HIT_BYTES("mem_cache_hit_bytes_total"),
  FILE_CACHE_HITS("file_cache_hit_nums_"),
  FILE_CACHE_HIT_BYTES("file_cache_hit_bytes_total"),
  MEM_CACHE_OBJECTS("mem_cache_nums_"),
  FILE_CACHE_OBJECTS("file_cache_nums_"),
  ALLOCATED_FILE_BYTES("master_allocated_file_size_bytes"),
  VALID_GETS("valid_get_nums_"),
  TOTAL_GETS("total_get_nums_"),
  SUCCESSFUL_EVICTIONS("master_successful_evictions_total"),
  ATTEMPTED_EVICTIONS("master_attempted_evictions_total"),
  EVICTED_KEYS("master_evicted_key_count"),
  EVICTED_BYTES("master_evicted_size_bytes"),
  SUSPECTED_TRANSITIONS("master_client_liveness_suspected_transitions_total"),
  OFFLINE_TRANSITIONS("master_client_liveness_offline_transitions_total"),
  LIVENESS_RECOVERIES("master_client_liveness_recoveries_total"),
  INBOX_FULL("tidemark_inbox_full_total"),
  READS_PARKED("tidemark_reads_parked_total"),
  READS_PARK_REFUSED("tidemark_reads_park_refused_total"),
  BATCHES_APPENDED("tidemark_log_batches_total"),
  EVENTS_APPLIED("tidemark_events_applied_total"),
  WRITES_RESUMED("tidemark_writes_resumed_total"),
  REGEX_REFUSED("tidemark_regex_refused_total"),
  LOG_FULL_REFUSALS("tidemark_log_full_refusals_total");

  private final String metricName;

  CoreMetric(String metricName) {
    this.metricName = metricName;
  }

  /** Name on the metrics page. */
  public String metricName() {
    return metricName;
  }
}
